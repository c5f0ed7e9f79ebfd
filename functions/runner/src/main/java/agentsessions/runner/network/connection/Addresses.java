package agentsessions.runner.network.connection;

import agentsessions.rule.HostAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
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

  /// The addresses of a host, given by its name or by number.
  ///
  /// @throws HostAddresses.Refused if it has one that may not be reached
  public List<InetSocketAddress> of(String host, int port) throws UnknownHostException {
    return Stream.of(new HostAddresses(allowPrivate, TO_RESOLVE).of(host))
        .map(address -> new InetSocketAddress(address, port))
        .toList();
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
}
