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
  private final SpeedReport report;

  private Fairness(SpeedReport report) {
    this.report = report;
  }

  /// @param turns of the workspace that sends many, at most as many as may live
  static List<String> run(Path data, int turns) throws Exception {
    SpeedReport report = new SpeedReport();
    try (ServiceProcess service = new ServiceProcess(data, Map.of())) {
      service.await();
      measure(service, turns, report);
    }
    return report.print();
  }

  /// @param turns of the workspace that sends many, at most as many as may live
  static void measure(ServiceProcess service, int turns, SpeedReport report) throws Exception {
    Client crowd = service.client(Rig.workspace(), KEYS).patient(LIMIT, PACE);
    Client bystander = service.client(Rig.workspace(), KEYS).patient(LIMIT, PACE);
    bystander.create("echo warm").first().completed();
    new Fairness(report).measure(crowd, bystander, turns);
  }

  private void measure(Client crowd, Client bystander, int turns) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ApiResponse>> sent = new ArrayList<>();
      for (int i = 0; i < turns; i++) {
        sent.add(threads.submit(started(() -> crowd.post("/sessions", TURN))));
      }
      Future<Double> beside = threads.submit(started(() -> answered(bystander)));
      long began = System.nanoTime();
      start.countDown();
      List<TurnHandle> accepted = accepted(sent, crowd);
      double posted = seconds(began);
      threads.submit(() -> accepted.forEach(TurnHandle::completed)).get();
      report.add(
          turns + " turns of a workspace at once: accepted · all done · the turn of another, s",
          "%.1f · %.1f · %.1f".formatted(posted, seconds(began), beside.get()),
          "",
          "all done 10, of another 1, none refused");
    }
  }

  private <T> Callable<T> started(Callable<T> work) {
    return () -> {
      start.await();
      return work.call();
    };
  }

  private static double answered(Client bystander) {
    long began = System.nanoTime();
    bystander.create("echo done").first().completed();
    return seconds(began);
  }

  private List<TurnHandle> accepted(List<Future<ApiResponse>> sent, Client crowd) throws Exception {
    List<TurnHandle> accepted = new ArrayList<>();
    for (Future<ApiResponse> one : sent) {
      ApiResponse answer = one.get();
      report.check(
          answer.status() == 201,
          "a POST was answered with " + answer.status() + ": " + answer.json());
      if (answer.status() == 201) {
        accepted.add(new SessionHandle(crowd, answer.json()).first());
      }
    }
    return accepted;
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
