package agentsessions.bench;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The wait of one workspace's turn for the many turns of another that are sent in the same moment,
/// the time until all are done, and the number of them that are refused.
final class Fairness {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration PACE = Duration.ofMillis(50);
  private static final int KEYS = 10;
  private static final Map<String, String> TURN =
      Map.of("agent_name", "shell", "message", "echo done");

  private final CountDownLatch start = new CountDownLatch(1);
  private final List<String> broken = new ArrayList<>();

  private Fairness() {}

  /// @param turns of the workspace that sends many, at most as many as may live
  static List<String> run(Path data, int turns) throws Exception {
    try (ServiceProcess service = new ServiceProcess(data, Map.of())) {
      service.await();
      Client crowd = service.client(Rig.workspace(), KEYS).patient(LIMIT, PACE);
      Client bystander = service.client(Rig.workspace(), KEYS).patient(LIMIT, PACE);
      bystander.create("echo warm").first().completed();
      Fairness fairness = new Fairness();
      fairness.measure(crowd, bystander, turns);
      return fairness.broken;
    }
  }

  private void measure(Client crowd, Client bystander, int turns) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ApiResponse>> sent = new ArrayList<>();
      for (int i = 0; i < turns; i++) {
        sent.add(threads.submit(started(() -> crowd.post("/sessions", TURN))));
      }
      Future<String> beside = threads.submit(started(() -> answered(bystander)));
      long began = System.nanoTime();
      start.countDown();
      List<TurnHandle> accepted = accepted(sent, crowd);
      double posted = seconds(began);
      threads.submit(() -> accepted.forEach(TurnHandle::completed)).get();
      System.out.printf(
          "%d turns of a workspace at once: accepted after %.1f s, %d refused, all done after %.1f"
              + " s (goal 10); the turn of another: %s s (goal 1)%n",
          turns, posted, turns - accepted.size(), seconds(began), beside.get());
    }
  }

  private <T> Callable<T> started(Callable<T> work) {
    return () -> {
      start.await();
      return work.call();
    };
  }

  private static String answered(Client bystander) {
    long began = System.nanoTime();
    bystander.create("echo done").first().completed();
    return "%.1f".formatted(seconds(began));
  }

  private List<TurnHandle> accepted(List<Future<ApiResponse>> sent, Client crowd) throws Exception {
    List<TurnHandle> accepted = new ArrayList<>();
    for (Future<ApiResponse> one : sent) {
      ApiResponse answer = one.get();
      if (answer.status() == 201) {
        accepted.add(new SessionHandle(crowd, answer.json()).first());
      } else {
        broken.add("a POST was answered with " + answer.status() + ": " + answer.json());
      }
    }
    return accepted;
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
