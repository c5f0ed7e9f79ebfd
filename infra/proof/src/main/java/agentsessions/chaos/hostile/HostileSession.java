package agentsessions.chaos.hostile;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A hostile client with a workspace of its own: runs one attack after the other, each in a session
/// that is deleted afterwards. Every turn has to end, and every session has to be deletable.
final class HostileSession {
  private final Client client;
  private final List<Attack> attacks;
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> ends = new ConcurrentSkipListMap<>();
  private volatile String now = "nothing";

  /// @param attacks in this order, again and again
  HostileSession(Client client, List<Attack> attacks) {
    this.client = client;
    this.attacks = attacks;
  }

  /// Runs until this time, and completes the attack that has begun.
  void run(Instant end) {
    for (int number = 0; Instant.now().isBefore(end); number++) {
      Attack attack = attacks.get(number % attacks.size());
      now = attack.name();
      ends.merge(attack + ": " + Bystanders.shortened(end(attack)), 1, Integer::sum);
      now = "nothing";
    }
  }

  /// The name of the attack that runs at the moment.
  String now() {
    return now;
  }

  /// The number of attacks by their kind and outcome.
  Map<String, Integer> ends() {
    return Collections.unmodifiableMap(ends);
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /// The outcome: the reply, or the error.
  private String end(Attack attack) {
    try {
      Map<String, String> message =
          Map.of("agent_name", attack.agent(), "message", attack.script());
      ApiResponse begun = client.post("/sessions", message).expect(201);
      String link = begun.text("/_links/final_message/href");
      String reply = Bystanders.reply(() -> client.get(link).expect(200));
      if (reply.startsWith(Bystanders.NO_REPLY)) {
        failures.add(attack + ": " + reply);
      }
      client.delete("/sessions/" + begun.text("/id")).expect(204);
      return reply;
    } catch (RuntimeException | AssertionError refused) {
      failures.add(attack + ": " + Bystanders.shortened(String.valueOf(refused.getMessage())));
      return "refused";
    }
  }
}
