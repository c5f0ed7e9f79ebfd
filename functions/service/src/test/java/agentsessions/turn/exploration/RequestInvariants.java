package agentsessions.turn.exploration;

import static agentsessions.turn.exploration.Invariants.require;
import static agentsessions.turn.exploration.Invariants.text;

import agentsessions.session.TurnStatus;
import agentsessions.wire.RunnerMessages;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The invariants of requests for decisions: one is pending as long as its running turn is held for
/// it or is parked, or its session has the plan of the current turn, which has ended, or its
/// pushes; and is listed so. Then it never changes again, and everyone is told the same of it.
final class RequestInvariants {
  private final Map<String, String> finals = new HashMap<>();

  /// @param meta the session; empty where it is deleted
  /// @param lists the ids that the lists of the workspace hold
  void check(
      Map<String, Map<String, AttributeValue>> requests,
      Map<String, Map<String, AttributeValue>> turns,
      Optional<Map<String, AttributeValue>> meta,
      Map<String, Set<String>> lists) {
    Optional<String> ofTurn = Optional.empty();
    for (Map.Entry<String, Map<String, AttributeValue>> entry : turns.entrySet()) {
      TurnStatus status = Invariants.status(entry.getValue());
      require(
          status != TurnStatus.PARKED || entry.getValue().containsKey("request"),
          "a turn is parked for nothing");
      if (entry.getValue().containsKey("request")) {
        require(
            status == TurnStatus.RUNNING || status == TurnStatus.PARKED, "a turn is held and over");
        ofTurn = Optional.of(text(entry.getValue(), "request"));
      }
    }
    Optional<String> plan = plan(requests, turns, meta);
    Optional<String> held = ofTurn.isPresent() ? ofTurn : plan;
    for (Map.Entry<String, Map<String, AttributeValue>> entry : requests.entrySet()) {
      boolean pending = text(entry.getValue(), "status").equals("PENDING");
      require(
          pending == held.filter(entry.getKey()::equals).isPresent(),
          "a request is pending without its turn, or the other way about");
      if (meta.isPresent()) {
        require(pending == isIn(lists, "REQUESTS", entry.getKey()), "a list of requests is wrong");
        require(
            pending != isIn(lists, "REQUESTS#DONE", entry.getKey()), "a list of requests is wrong");
      }
      if (!pending) {
        unchanged(entry.getKey(), entry.getValue());
      }
    }
    require(held.filter(id -> !requests.containsKey(id)).isEmpty(), "a request is lost");
    @Nullable AttributeValue known = ofTurn.map(AttributeValue::fromS).orElse(null);
    require(
        meta.isEmpty() || Objects.equals(meta.get().get("request"), known),
        "a session does not know what its turn waits for");
  }

  private static Optional<String> plan(
      Map<String, Map<String, AttributeValue>> requests,
      Map<String, Map<String, AttributeValue>> turns,
      Optional<Map<String, AttributeValue>> meta) {
    Optional<Map<String, AttributeValue>> asked =
        meta.filter(session -> session.containsKey("plan"));
    asked.ifPresent(session -> {
      String current = text(session, "current");
      TurnStatus status = Invariants.status(Objects.requireNonNull(turns.get(current)));
      Map<String, AttributeValue> request = requests.getOrDefault(text(session, "plan"), Map.of());
      require(
          request.containsKey("pushes") ? !status.live() : status == TurnStatus.COMPLETED,
          "a plan waits whose turn has not completed");
      require(
          request.isEmpty() || text(request, "turn").equals(current),
          "a plan waits whose turn is not the last");
    });
    return asked.map(session -> text(session, "plan"));
  }

  private static boolean isIn(Map<String, Set<String>> lists, String list, String id) {
    return lists.getOrDefault(list, Set.of()).contains(id);
  }

  private void unchanged(String id, Map<String, AttributeValue> request) {
    String all = new TreeMap<>(request).toString();
    String known = finals.putIfAbsent(id, all);
    require(known == null || known.equals(all), "a request changed after it was over");
  }

  /// What somebody is told is what has become of it.
  void told(String id, RunnerMessages.DecisionState state) {
    String kept = finals.getOrDefault(id, "");
    require(
        kept.contains("S=" + state.status().toUpperCase(Locale.ROOT))
            && (state.decision() == null
                || kept.contains("S=" + state.decision().toUpperCase(Locale.ROOT))),
        "somebody is told %s of %s".formatted(state, kept));
  }
}
