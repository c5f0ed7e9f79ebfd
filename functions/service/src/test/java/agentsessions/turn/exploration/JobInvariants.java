package agentsessions.turn.exploration;

import static agentsessions.turn.exploration.Invariants.require;
import static agentsessions.turn.exploration.Invariants.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The invariants of jobs: a session names its one live job, beside which no turn is live and
/// nothing waits for a person. One that has ended never changes again. What a person has allowed
/// has one job, and what nobody has allowed has none.
final class JobInvariants {
  private final Map<String, String> finals = new HashMap<>();
  private final Set<String> pushed = new HashSet<>();

  /// @param isTurnLive whether a turn is live
  /// @param meta the session; empty where it is deleted
  void check(
      Map<String, Map<String, AttributeValue>> jobs,
      Map<String, Map<String, AttributeValue>> requests,
      boolean isTurnLive,
      Optional<Map<String, AttributeValue>> meta) {
    List<String> live =
        jobs.entrySet().stream()
            .filter(job -> Invariants.status(job.getValue()).live())
            .map(Map.Entry::getKey)
            .toList();
    Optional<String> known =
        meta.filter(session -> session.containsKey("job")).map(session -> text(session, "job"));
    require(live.equals(known.stream().toList()), "a session does not know which job is live");
    require(live.isEmpty() || !isTurnLive, "a job is live beside a turn");
    require(
        meta.filter(session -> session.containsKey("plan")).isEmpty() || live.isEmpty(),
        "a job is live while a person is asked");
    require(
        meta.filter(session -> session.containsKey("job_is_push")).isEmpty() || known.isPresent(),
        "a session knows of what job it is, and of no job");
    jobs.forEach(this::check);
    if (meta.isPresent()) {
      require(
          allowed(requests) == jobs.values().stream().filter(JobInvariants::isAllowed).count(),
          "what a person has allowed has not one job");
    }
  }

  private void check(String id, Map<String, AttributeValue> job) {
    boolean live = Invariants.status(job).live();
    require(live == job.containsKey("LIVE"), "the index does not hold just the live jobs");
    if (!live) {
      Map<String, AttributeValue> told = new TreeMap<>(job);
      told.remove("sandbox");
      String known = finals.putIfAbsent(id, told.toString());
      require(known == null || known.equals(told.toString()), "a job changed after its end");
    }
  }

  private static boolean isAllowed(Map<String, AttributeValue> job) {
    return Objects.requireNonNull(job.get("job")).m().containsKey("allowed");
  }

  private static long allowed(Map<String, Map<String, AttributeValue>> requests) {
    return requests.values().stream()
        .filter(request -> request.containsKey("pushes"))
        .filter(request -> text(request, "status").equals("DECIDED"))
        .filter(request -> !text(request, "decision").equals("DENY"))
        .count();
  }

  /// A runner pushes for a job.
  void pushes(String id) {
    require(pushed.add(id), "a job pushes a second time");
  }
}
