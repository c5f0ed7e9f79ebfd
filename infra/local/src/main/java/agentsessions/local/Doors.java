package agentsessions.local;

import agentsessions.local.aws.SignedLinks;
import agentsessions.local.front.Front;
import agentsessions.local.front.Gateway;
import agentsessions.local.machine.Ports;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the service is reached: by clients at one door, on loopback or as others are to reach it;
/// by runners at one of their own on loopback, so that neither crowd keeps the other out. At the
/// clients' door nobody speaks for a runner.
final class Doors implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Front clients;
  private final Front runners;
  private final Optional<Outside> outside;

  private Doors(Front clients, Front runners, Optional<Outside> outside) {
    this.clients = clients;
    this.runners = runners;
    this.outside = outside;
  }

  /// Opens them; requests wait until [#serve].
  ///
  /// @throws agentsessions.local.machine.CannotStart if a port is taken
  static Doors open(Settings settings) {
    Optional<Outside> outside = settings.outside();
    String host = outside.map(Outside::host).orElse(LOOPBACK);
    Front clients = Ports.open(settings.port(), "--port", port -> new Front(host, port));
    return new Doors(clients, Ports.open(0, "--port", Front::new), outside);
  }

  /// Where clients reach the service, without a path.
  URI url() {
    return outside.map(Outside::url).orElseGet(() -> loopback(clients));
  }

  /// Where runners reach it, without a path; those in containers as well, for whom this port of
  /// loopback is handed on.
  URI runnerUrl() {
    return loopback(runners);
  }

  /// Where they are on this machine.
  List<Integer> ports() {
    return List.of(clients.port(), runners.port());
  }

  /// For people: who else can reach what; empty where all is on loopback.
  List<String> reach() {
    return outside.map(each -> each.reach(clients.port())).orElse(List.of());
  }

  /// What the service must know of them.
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

  /// Serves from now on.
  ///
  /// @param corsOrigin the origin whose pages may read answers, or `*`; empty: none
  /// @param objects where the object store is
  /// @param links those that it takes
  void serve(Gateway gateway, String corsOrigin, URI objects, SignedLinks links) {
    runners.serveRunners(gateway);
    if (outside.isPresent()) {
      clients.serveOthers(gateway, corsOrigin, objects, url(), links);
    } else {
      clients.serve(gateway, corsOrigin);
    }
  }

  /// Ends what would stay open, before the service ends.
  void endStreams() {
    clients.endStreams();
  }

  @Override
  public void close() {
    clients.close();
    runners.close();
  }

  private static URI loopback(Front front) {
    return URI.create("http://" + LOOPBACK + ":" + front.port());
  }
}
