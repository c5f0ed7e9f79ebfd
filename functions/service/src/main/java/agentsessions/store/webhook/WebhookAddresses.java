package agentsessions.store.webhook;

import agentsessions.rule.HostAddresses;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;

/// The DNS resolver for receivers: connections go to the very addresses that were checked, so that
/// a name cannot lead somewhere else a moment later.
@Singleton
public final class WebhookAddresses implements DnsResolver {
  private static final Duration TO_RESOLVE = Duration.ofSeconds(5);

  private final HostAddresses addresses;
  private final List<String> ownPorts;

  /// @param ownPorts the ports of this service's own listeners, where they are on this machine;
  ///   with commas
  public WebhookAddresses(
      @Property(name = "allow.private", defaultValue = "false") boolean allowPrivate,
      @Property(name = "own.ports", defaultValue = "") String ownPorts) {
    this.addresses = new HostAddresses(allowPrivate, TO_RESOLVE);
    this.ownPorts = List.of(ownPorts.split(",", -1));
  }

  /// Whether a host is known to have an address that may not be reached; one that is not known at
  /// all may yet be.
  public boolean refuses(String host, int port) {
    try {
      return resolve(host).length == 0 || isOwn(host, port);
    } catch (HostAddresses.Refused refused) {
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
    return addresses.of(host);
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
