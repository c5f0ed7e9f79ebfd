package agentsessions.local;

import agentsessions.local.front.Front;
import agentsessions.local.front.Gateway;
import agentsessions.local.machine.Ports;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Where the service is reached: by all at one door on loopback; or by others at a door of theirs,
/// and by runners, which nobody else may speak for, at one on loopback.
final class Doors implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Front clients;
  private final Optional<Front> runners;
  private final Optional<Outside> outside;

  private Doors(Front clients, Optional<Front> runners, Optional<Outside> outside) {
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
    Optional<Front> runners = outside.map(_ -> Ports.open(0, "--port", Front::new));
    return new Doors(clients, runners, outside);
  }

  /// Where clients reach the service, without a path.
  URI url() {
    return outside.map(Outside::url).orElseGet(() -> loopback(clients));
  }

  /// Where runners reach it, without a path.
  URI runnerUrl() {
    return loopback(runners.orElse(clients));
  }

  /// Where they are on this machine.
  List<Integer> ports() {
    return Stream.concat(Stream.of(clients), runners.stream()).map(Front::port).toList();
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
    if (runners.isPresent()) {
      settings.put("download.url", url().toString());
      settings.put("health.details", false);
    }
    return settings;
  }

  /// Serves from now on.
  ///
  /// @param corsOrigin the origin whose pages may read answers, or `*`; empty: none
  /// @param objects where the object store is
  void serve(Gateway gateway, String corsOrigin, URI objects) {
    runners.ifPresentOrElse(
        front -> {
          front.serveRunners(gateway);
          clients.serveOthers(gateway, corsOrigin, objects, url());
        },
        () -> clients.serve(gateway, corsOrigin));
  }

  /// Ends what would stay open, before the service ends.
  void endStreams() {
    clients.endStreams();
  }

  @Override
  public void close() {
    clients.close();
    runners.ifPresent(Front::close);
  }

  private static URI loopback(Front front) {
    return URI.create("http://" + LOOPBACK + ":" + front.port());
  }
}
