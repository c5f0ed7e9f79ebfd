package agentsessions.chaos.races;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.talk.ApiResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/// Concurrent requests: many equal or different ones at the same time, with the check that they had
/// the effect of their idempotency keys.
public final class ConcurrentRequests {
  private static final String[] KEY = {"Idempotency-Key", "the key"};

  private final Rig rig;
  private final List<String> failures = new ArrayList<>();

  public ConcurrentRequests(Rig rig) {
    this.rig = rig;
  }

  public List<String> failures() {
    return failures;
  }

  public void equalCreates(int count) throws Exception {
    RigSession talk = new RigSession(rig, 1);
    Result result = Result.of(count, () -> talk.post("one", KEY));
    judge("equal creates", result, talk.items("/sessions").size() == 1 && result.bodies() == 1);
  }

  public void equalFollowUps(int count) throws Exception {
    RigSession talk = new RigSession(rig, 1);
    talk.create("one");
    Result result = Result.of(count, () -> talk.send("two", KEY));
    judge("equal follow-ups", result, talk.history().size() == 2 && result.bodies() == 1);
  }

  public void differentFollowUps(int count) throws Exception {
    RigSession talk = new RigSession(rig, 2);
    talk.create("one");
    Result result = Result.of(count, () -> talk.send("more"));
    List<JsonNode> threads = talk.items(talk.path() + "/threads?limit=100");
    boolean chained = talk.history().size() == count + 1 && threads.size() == count + 1;
    for (int i = 0; i + 1 < threads.size(); i++) {
      chained &= threads.get(i).path("superseded_by").equals(threads.get(i + 1).path("id"));
    }
    judge("different follow-ups", result, chained);
  }

  private void judge(String what, Result result, boolean good) {
    System.out.printf("%s: %s%n", what, result);
    if (!good || !result.statuses().equals(Set.of(201))) {
      failures.add(what + ": " + result);
    }
  }

  private record Result(int answers, Set<Integer> statuses, int bodies, long millis) {
    static Result of(int count, Callable<ApiResponse> request) throws Exception {
      long start = System.nanoTime();
      List<ApiResponse> answers = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Callable<ApiResponse>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          all.add(request);
        }
        for (Future<ApiResponse> done : threads.invokeAll(all)) {
          answers.add(done.get());
        }
      }
      return new Result(
          answers.size(),
          answers.stream().map(ApiResponse::status).collect(Collectors.toSet()),
          answers.stream().map(ApiResponse::body).collect(Collectors.toSet()).size(),
          (System.nanoTime() - start) / 1_000_000);
    }
  }
}
