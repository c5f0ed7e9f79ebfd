package agentsessions.rule;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// A resolver that refuses loopback, private and link-local addresses. Callers connect to the
/// addresses that it returns, so that a name cannot resolve to another one a moment later.
///
/// @param allowPrivate whether the operator allows all addresses
/// @param ownPorts the ports of this service's own listeners, where they are on this machine:
///   whatever is allowed, it must not be made to call itself
/// @param timeout the timeout for resolving a name
public record HostAddresses(boolean allowPrivate, Set<Integer> ownPorts, Duration timeout) {
  public HostAddresses(boolean allowPrivate, Duration timeout) {
    this(allowPrivate, Set.of(), timeout);
  }

  /// The error for a host with an address that is not allowed.
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
  /// @throws Refused if any of its addresses is not allowed
  public InetAddress[] of(String host) throws UnknownHostException {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    InetAddress[] found = resolve(bare);
    if (!allowPrivate
        && (isDisguised(bare, found) || !Stream.of(found).allMatch(HostAddresses::isPublic))) {
      throw new Refused(host);
    }
    return found;
  }

  /// The same for a connection to a port.
  ///
  /// @throws Refused also if it is a listener of this service
  public InetAddress[] of(String host, int port) throws UnknownHostException {
    InetAddress[] found = of(host);
    if (ownPorts.contains(port) && Stream.of(found).anyMatch(HostAddresses::isHere)) {
      throw new Refused(host);
    }
    return found;
  }

  /// Whether a host is known to have an address that is not allowed; one that is not known at all
  /// may yet be.
  public boolean refuses(String host, int port) {
    try {
      return of(host, port).length == 0;
    } catch (Refused refused) {
      return true;
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  private static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return true;
    }
  }

  /// Resolves in a thread of its own, since the system's resolver has no timeout of ours.
  private InetAddress[] resolve(String host) throws UnknownHostException {
    CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
    Thread _ = Thread.ofPlatform().daemon().name("resolver").start(() -> resolve(host, answer));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
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

  /// Whether an IPv4 address is written as an IPv6 one (`::ffff:10.0.0.1`). Such spellings are
  /// refused, since their usual purpose is to get around a check like this.
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

  /// Whether an IPv4 address is outside of the special-purpose registry: this network, private,
  /// shared, loopback, link-local, protocol assignments, benchmarks, multicast, reserved. Also
  /// refused is 168.63.129.16, a public number that in Azure is the host of every virtual machine.
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

  /// Whether an IPv6 address is in `2000::/3` and not in a range that leads to IPv4 addresses:
  /// `2001::/23` (Teredo and others) and `2002::/16` (6to4).
  private static boolean isGlobalUnicast(int first, int second, int third) {
    boolean assigned = (first & 0xe0) == 0x20;
    boolean tunnel = first == 0x20 && (second == 0x02 || (second == 0x01 && third < 0x02));
    return assigned && !tunnel;
  }
}
