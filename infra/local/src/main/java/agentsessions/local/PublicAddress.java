package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The public address of a service that other machines use.
///
/// @param host the address of this machine to listen on
/// @param url the URL by which others reach the service; all links begin with it
record PublicAddress(String host, URI url) {
  private static final String LOOPBACK = "127.0.0.1";
  private static final Set<String> USUAL_PORTS = Set.of("http:80", "https:443");

  /// @throws CannotStart if the address is not this machine's, or the URL cannot begin links
  static PublicAddress of(String host, URI url) {
    if (!isOurs(host)) {
      throw new CannotStart("This machine has no address " + host + " (--host)");
    }
    if (!isPlain(url)) {
      throw new CannotStart(
          "--public-url must be like https://agents.example.org, without a path: the service needs a host of its own");
    }
    return new PublicAddress(host, withoutUsualPort(url));
  }

  /// The URL for clients on this machine, without a path.
  URI here(int port) {
    InetAddress address = address(host).orElseThrow();
    String name = address.isAnyLocalAddress() ? LOOPBACK : InetAddresses.toUriString(address);
    return URI.create("http://" + name + ":" + port);
  }

  /// Sentences for people about what is reachable, with a warning if keys travel unencrypted.
  List<String> reach(int port) {
    String open =
        "Open to all who reach %s port %d: the API with a key, a download with its link; /console, /docs and the contract without. All else is on loopback."
            .formatted(host, port);
    String warning =
        "Warning: on the way, plain http shows keys and replies to others. Put TLS in front and give its https URL.";
    return url.getScheme().equals("http") ? List.of(open, warning) : List.of(open);
  }

  /// A URL without a path, because download links are signed for host and port alone.
  private static boolean isPlain(URI url) {
    return Set.of("http", "https").contains(String.valueOf(url.getScheme()))
        && url.getHost() != null
        && Set.of("", "/").contains(String.valueOf(url.getRawPath()))
        && url.getRawUserInfo() == null
        && url.getRawQuery() == null
        && url.getRawFragment() == null;
  }

  /// Clients leave a default port out of the `Host` header, which is part of the signature.
  private static URI withoutUsualPort(URI url) {
    boolean usual =
        url.getPort() < 0 || USUAL_PORTS.contains(url.getScheme() + ":" + url.getPort());
    String port = usual ? "" : ":" + url.getPort();
    return URI.create(url.getScheme() + "://" + url.getHost() + port);
  }

  private static boolean isOurs(String host) {
    try {
      @Nullable InetAddress address = address(host).orElse(null);
      return address != null
          && (address.isAnyLocalAddress()
              || address.isLoopbackAddress()
              || NetworkInterface.getByInetAddress(address) != null);
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<InetAddress> address(String host) {
    try {
      return Optional.of(InetAddress.getByName(host));
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }
}
