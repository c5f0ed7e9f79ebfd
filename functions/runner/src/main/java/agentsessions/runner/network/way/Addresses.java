package agentsessions.runner.network.way;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;

/// The check that an address is public: neither this machine's nor of a private network. Callers
/// connect to the addresses that were checked, so that a name cannot resolve to another one a
/// moment later.
///
/// @param allowPrivate whether the operator allows all addresses
public record Addresses(boolean allowPrivate) {
  private static final Duration TO_RESOLVE = Duration.ofSeconds(10);

  /// A host has an address that is not allowed.
  public static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    private Refused(String host) {
      super(
          host
              + " has a private, loopback or link-local address; the operator can allow these with"
              + " --allow-private");
    }
  }

  /// The addresses of a host, given by its name or by an IP address.
  ///
  /// @throws Refused if any of its addresses is not allowed
  public List<InetSocketAddress> of(String host, int port) throws IOException {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    InetAddress[] found = resolve(bare);
    if (!allowPrivate && (isDisguised(bare, found) || !Stream.of(found).allMatch(this::isPublic))) {
      throw new Refused(host);
    }
    return Stream.of(found).map(address -> new InetSocketAddress(address, port)).toList();
  }

  /// The same check as a resolver for Jetty's client.
  public SocketAddressResolver resolver() {
    return (host, port, _, answer) -> Thread.startVirtualThread(() -> resolve(host, port, answer));
  }

  private void resolve(String host, int port, Promise<List<InetSocketAddress>> answer) {
    try {
      answer.succeeded(of(host, port));
    } catch (IOException refused) {
      answer.failed(refused);
    }
  }

  /// In a thread of its own, since the system's resolver has no timeout.
  private static InetAddress[] resolve(String host) throws IOException {
    CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
    Thread.ofPlatform().daemon().name("resolver").start(() -> resolve(host, answer));
    try {
      return answer.get(TO_RESOLVE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException unknown) {
      throw new UnknownHostException(host);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
  }

  private static void resolve(String host, CompletableFuture<InetAddress[]> answer) {
    try {
      answer.complete(InetAddress.getAllByName(host));
    } catch (UnknownHostException unknown) {
      answer.completeExceptionally(unknown);
    }
  }

  /// An IPv4-mapped IPv6 address (`::ffff:…`), which serves only to get around the check.
  private static boolean isDisguised(String host, InetAddress[] found) {
    return host.indexOf(':') >= 0 && found[0] instanceof Inet4Address;
  }

  private boolean isPublic(InetAddress address) {
    byte[] bytes = address.getAddress();
    int first = bytes[0] & 0xff;
    int second = bytes[1] & 0xff;
    return address instanceof Inet4Address
        ? isPublic(first, second, bytes[2] & 0xff)
        : isGlobalUnicast(first, second, bytes[2] & 0xff);
  }

  /// Not of the special-purpose registry of IPv4: this network, private, shared, loopback,
  /// link-local, protocol assignments, benchmarks, multicast, reserved. And not 168.63.129.16,
  /// which is a public number and in Azure the host of every virtual machine.
  private static boolean isPublic(int first, int second, int third) {
    return switch (first) {
      case 0, 10, 127 -> false;
      case 100 -> second < 64 || second > 127;
      case 168 -> second != 63 || third != 129;
      case 169 -> second != 254;
      case 172 -> second < 16 || second > 31;
      case 192 -> second != 168 && (second != 0 || third != 0);
      case 198 -> second != 18 && second != 19;
      default -> first < 224;
    };
  }

  /// Of `2000::/3`, without tunnels to IPv4 addresses (Teredo and others in `2001::/23`, 6to4 in
  /// `2002::/16`).
  private static boolean isGlobalUnicast(int first, int second, int third) {
    boolean assigned = (first & 0xe0) == 0x20;
    boolean tunnel = first == 0x20 && (second == 0x02 || (second == 0x01 && third < 0x02));
    return assigned && !tunnel;
  }
}
