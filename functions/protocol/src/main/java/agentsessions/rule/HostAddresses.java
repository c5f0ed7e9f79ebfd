package agentsessions.rule;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// The addresses that may be reached: no loopback, private or link-local ones. The caller connects
/// to the very addresses that are returned, so that a name cannot lead somewhere else a moment
/// later.
///
/// @param allowPrivate whether the operator allows all of them
/// @param patience how long the system may take for a name
public record HostAddresses(boolean allowPrivate, Duration patience) {

  /// A host has an address that may not be reached.
  public static final class Refused extends UnknownHostException {
    private static final long serialVersionUID = 1;

    public Refused(String host) {
      super(
          host
              + " has a private, loopback or link-local address; the operator can allow these with"
              + " --allow-private");
    }
  }

  /// The addresses of a host, given by its name or by number.
  ///
  /// @throws Refused if it has one that may not be reached, however many others there are
  public InetAddress[] of(String host) throws UnknownHostException {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    InetAddress[] found = resolve(bare);
    if (!allowPrivate
        && (isDisguised(bare, found) || !Stream.of(found).allMatch(HostAddresses::isPublic))) {
      throw new Refused(host);
    }
    return found;
  }

  /// In a thread of its own, since the system may take as long as it likes.
  private InetAddress[] resolve(String host) throws UnknownHostException {
    CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
    Thread _ = Thread.ofPlatform().daemon().name("resolver").start(() -> resolve(host, answer));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException unknown) {
      throw new UnknownHostException(host);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    }
  }

  private static void resolve(String host, CompletableFuture<InetAddress[]> answer) {
    try {
      answer.complete(InetAddress.getAllByName(host));
    } catch (UnknownHostException unknown) {
      answer.completeExceptionally(unknown);
    }
  }

  /// An address of the old kind in the spelling of the new one: nobody writes that in good faith.
  private static boolean isDisguised(String host, InetAddress[] found) {
    return host.indexOf(':') >= 0 && found[0] instanceof Inet4Address;
  }

  private static boolean isPublic(InetAddress address) {
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

  /// Of `2000::/3`, and no way to an address of the old kind (Teredo and its like in `2001::/23`,
  /// 6to4 in `2002::/16`).
  private static boolean isGlobalUnicast(int first, int second, int third) {
    boolean assigned = (first & 0xe0) == 0x20;
    boolean tunnel = first == 0x20 && (second == 0x02 || (second == 0x01 && third < 0x02));
    return assigned && !tunnel;
  }
}
