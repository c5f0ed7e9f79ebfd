package agentsessions.local;

import agentsessions.local.aws.SignedLinks;
import agentsessions.local.front.ApiServer;
import agentsessions.local.front.Gateway;
import agentsessions.local.machine.PortBinding;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The two HTTP listeners of the service: one for clients, on loopback or on a public address; one
/// for runners, on loopback only. They are apart so that many clients cannot lock runners out, nor
/// the reverse, and so that the clients' listener serves no path of runners.
final class ServiceListeners implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final ApiServer clients;
  private final ApiServer runners;
  private final Optional<PublicAddress> outside;

  private ServiceListeners(ApiServer clients, ApiServer runners, Optional<PublicAddress> outside) {
    this.clients = clients;
    this.runners = runners;
    this.outside = outside;
  }

  /// Opens both ports; requests wait until [#serve].
  ///
  /// @throws agentsessions.local.machine.CannotStart if a port is taken
  static ServiceListeners open(Settings settings) {
    Optional<PublicAddress> outside = settings.outside();
    String host = outside.map(PublicAddress::host).orElse(LOOPBACK);
    ApiServer clients =
        PortBinding.open(settings.port(), "--port", port -> new ApiServer(host, port));
    return new ServiceListeners(clients, PortBinding.open(0, "--port", ApiServer::new), outside);
  }

  /// The service's URL for clients, without a path.
  URI url() {
    return outside.map(PublicAddress::url).orElseGet(() -> loopback(clients));
  }

  /// The service's URL for clients on this machine, without a path.
  URI localUrl() {
    return outside.map(each -> each.here(clients.port())).orElseGet(() -> loopback(clients));
  }

  /// The service's URL for runners, without a path. It is the same in containers, where this port
  /// of loopback is forwarded.
  URI runnerUrl() {
    return loopback(runners);
  }

  /// The ports of both listeners.
  List<Integer> ports() {
    return List.of(clients.port(), runners.port());
  }

  /// Sentences for people about what is reachable from other machines; empty if all is on loopback.
  List<String> reach() {
    return outside.map(each -> each.reach(clients.port())).orElse(List.of());
  }

  /// The settings of the service that depend on these addresses.
  Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("base.url", url().toString());
    settings.put("runner.address", runnerUrl().toString());
    if (outside.isPresent()) {
      settings.put("download.url", url().toString());
      settings.put("health.details", false);
    }
    return settings;
  }

  /// Starts to serve requests.
  ///
  /// @param corsOrigin the origin whose pages may read responses, or `*`; empty: none
  /// @param objects the address of the object store
  /// @param links checks the object store's presigned links
  void serve(Gateway gateway, String corsOrigin, URI objects, SignedLinks links) {
    runners.serveRunners(gateway);
    if (outside.isPresent()) {
      clients.serveOthers(gateway, corsOrigin, objects, url(), links);
    } else {
      clients.serve(gateway, corsOrigin);
    }
  }

  /// Ends event streams, which would otherwise stay open while the service stops.
  void endStreams() {
    clients.endStreams();
  }

  @Override
  public void close() {
    clients.close();
    runners.close();
  }

  private static URI loopback(ApiServer front) {
    return URI.create("http://" + LOOPBACK + ":" + front.port());
  }
}
