package agentsessions.store.webhook;

import agentsessions.session.repository.Addresses;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;

/// The DNS resolver for receivers: connections go to the very addresses that were checked, so that
/// a name cannot lead somewhere else a moment later.
@Singleton
public final class WebhookAddresses implements DnsResolver {
  private static final Duration TO_RESOLVE = Duration.ofSeconds(5);

  private final boolean allowPrivate;
  private final List<String> ownPorts;

  /// @param ownPorts the ports of this service's own listeners, where they are on this machine;
  ///   with commas
  public WebhookAddresses(
      @Property(name = "allow.private", defaultValue = "false") boolean allowPrivate,
      @Property(name = "own.ports", defaultValue = "") String ownPorts) {
    this.allowPrivate = allowPrivate;
    this.ownPorts = List.of(ownPorts.split(",", -1));
  }

  /// A host that has an address which may not be reached.
  public static final class Refused extends UnknownHostException {
    private static final long serialVersionUID = 1;

    public Refused(String host) {
      super(host);
    }
  }

  /// Whether a host is known to have an address that may not be reached. One that does not resolve
  /// is not refused, since it may do so later.
  public boolean refuses(String host, int port) {
    try {
      return resolve(host).length == 0 || isOwn(host, port);
    } catch (Refused refused) {
      return true;
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /// Whether it is this service itself: a webhook must not make it call itself.
  public boolean isOwn(String host, int port) {
    try {
      return ownPorts.contains(Integer.toString(port))
          && Stream.of(resolve(host)).anyMatch(WebhookAddresses::isHere);
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

  /// @throws Refused if any of its addresses may not be reached
  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    InetAddress[] found = found(bare);
    if (!allowPrivate
        && (isDisguised(bare, found) || !Stream.of(found).allMatch(Addresses::isPublic))) {
      throw new Refused(host);
    }
    return found;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  /// An IPv4 address in the notation of IPv6, which has no honest use.
  private static boolean isDisguised(String host, InetAddress[] found) {
    return host.indexOf(':') >= 0 && found[0] instanceof Inet4Address;
  }

  /// Resolves in a thread of its own, since the resolver of the system has no time limit.
  private static InetAddress[] found(String host) throws UnknownHostException {
    CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
    Thread _ = Thread.ofPlatform().daemon().name("resolver").start(() -> look(host, answer));
    try {
      return answer.get(TO_RESOLVE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException unknown) {
      throw new UnknownHostException(host);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    }
  }

  private static void look(String host, CompletableFuture<InetAddress[]> answer) {
    try {
      answer.complete(InetAddress.getAllByName(host));
    } catch (UnknownHostException unknown) {
      answer.completeExceptionally(unknown);
    }
  }
}
