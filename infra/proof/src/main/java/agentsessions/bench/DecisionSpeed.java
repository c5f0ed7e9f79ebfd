package agentsessions.bench;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;

/// The time from a person's decision to the start of the tool that it allows: where the agent waits
/// for it, and where its turn is parked and has to be started again.
final class DecisionSpeed {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int ROUNDS = 11;
  private static final int HELD = 900;
  private static final int PARKED = 0;

  private DecisionSpeed() {}

  static List<String> run(Path data) throws IOException {
    SpeedReport report = new SpeedReport();
    try (ServiceProcess service = new ServiceProcess(data, Map.of())) {
      service.await();
      measure(service, report);
    }
    return report.print();
  }

  static void measure(ServiceProcess service, SpeedReport report) throws IOException {
    List<Double> held = new ArrayList<>();
    List<Double> parked = new ArrayList<>();
    for (int i = 0; i <= ROUNDS; i++) {
      Client client = service.client(Rig.workspace(), 3);
      double first = seconds(client, HELD);
      double second = seconds(client, PARKED);
      if (i > 0) { // the first turns warm the runner
        held.add(first);
        parked.add(second);
      }
    }
    report.add(
        "a person's decision to the start of the tool, held · parked, ms",
        "%.0f · %.0f".formatted(1000 * Median.of(held), 1000 * Median.of(parked)),
        "",
        "100 · 3,000");
  }

  /// The script is the tool, and prints the time of its start. The runner that parks a turn counts
  /// the time of its agent, which is 0 until then.
  private static double seconds(Client client, int holdSeconds) {
    Map<String, Object> permissions = Map.of("default", "ask", "hold_seconds", holdSeconds);
    JsonNode session =
        client
            .post(
                "/sessions",
                Map.of(
                    "agent_name",
                    "shell",
                    "message",
                    "echo $EPOCHREALTIME",
                    "permissions",
                    permissions))
            .expect(201)
            .json();
    JsonNode request = first(client, "/requests");
    if (holdSeconds == PARKED) {
      String threads = "/sessions/" + session.path("id").asText() + "/threads";
      await("a parked turn")
          .until(
              () -> client.get(threads).json().at("/items/0/usage/active_seconds").asDouble() > 0);
    }
    double sent = now();
    client.decide(request, Map.of("decision", "allow")).expect(200);
    String link = session.at("/_links/final_message/href").asText();
    return Double.parseDouble(first(client, link).path("message").asText().strip()) - sent;
  }

  private static JsonNode first(Client client, String page) {
    return await(page)
        .until(() -> client.get(page).json().path("items"), items -> !items.isEmpty())
        .path(0);
  }

  /// Three keys have 300 requests a minute.
  private static ConditionFactory await(String what) {
    return Await.await(what, TIMEOUT, Duration.ofMillis(20));
  }

  private static double now() {
    Instant now = Instant.now();
    return now.getEpochSecond() + now.getNano() / 1e9;
  }
}
