package agentsessions.bench;

import agentsessions.chaos.races.EventStreamClient;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Latency of events and interrupts on one machine: from the acceptance of a message to its event,
/// of a poll beside 64 watchers, and from an interrupt to the end of its agent. Medians; of the
/// times only ratios of one run mean much on a shared machine.
final class EventSpeed {
  private static final int ROUNDS = 5;
  private static final int POLLS = 100;
  private static final int WATCHERS = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final ServiceProcess service;
  private final List<String> broken = new ArrayList<>();

  private EventSpeed(ServiceProcess service) {
    this.service = service;
  }

  static List<String> run(Path data) throws Exception {
    try (ServiceProcess service = new ServiceProcess(data.resolve("timed"), Map.of())) {
      service.await();
      EventSpeed speed = new EventSpeed(service);
      speed.events();
      speed.watched();
      speed.interrupts();
      return speed.broken;
    }
  }

  /// Each message is a follow-up that interrupts the turn before it.
  private void events() throws Exception {
    String workspace = Rig.workspace();
    Client client = service.client(workspace, 5);
    SessionHandle session = client.create("sleep 100");
    List<Double> accepted = new ArrayList<>();
    List<Double> seen = new ArrayList<>();
    List<Double> running = new ArrayList<>();
    try (EventStreamClient watcher = watcher(service.key(workspace), session).follow()) {
      for (int i = 0; i < 21; i++) {
        String message = "sleep 10" + i;
        long sent = System.nanoTime();
        String thread = session.send(message).id();
        accepted.add((System.nanoTime() - sent) / 1e6);
        seen.add((watcher.awaitMessage(message).nanos() - sent) / 1e6);
        running.add(
            (watcher
                        .await(
                            "the turn",
                            event ->
                                event.type().equals("thread.running")
                                    && event.data().contains(thread))
                        .nanos()
                    - sent)
                / 1e6);
      }
    }
    System.out.printf(
        "a message: accepted after %.1f ms, its event after %.1f ms: event - accepted %.1f ms"
            + " (goal 50), its turn runs after %.0f ms%n",
        middle(accepted), middle(seen), middle(seen) - middle(accepted), middle(running));
    check(middle(seen) - middle(accepted) < 500, "an event came late");
  }

  /// Polls with and without watchers, alternating.
  private void watched() throws Exception {
    List<Double> alone = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      watched(alone, beside);
    }
    System.out.printf(
        "poll beside %d watchers: p50 %.2f ms, alone %.2f ms: ratio %.2f (goal 1.2); p99 ratio %.2f"
            + " (goal 2.0)%n",
        WATCHERS,
        middle(beside),
        middle(alone),
        middle(beside) / middle(alone),
        last(beside) / last(alone));
  }

  /// Uses a new workspace: a watcher that has left counts against the workspace's limit for up to
  /// ten seconds.
  private void watched(List<Double> alone, List<Double> beside) throws Exception {
    String workspace = Rig.workspace();
    Client client = service.client(workspace, 4);
    SessionHandle session = client.create("sleep 100");
    String link = session.first().link();
    alone.addAll(times(() -> client.get(link).expect(200)));
    List<EventStreamClient> crowd = new ArrayList<>();
    String key = service.key(workspace);
    for (int i = 0; i < WATCHERS; i++) {
      crowd.add(watcher(key, session).follow());
    }
    beside.addAll(times(() -> client.get(link).expect(200)));
    for (EventStreamClient watcher : crowd) {
      watcher.close();
    }
  }

  private void interrupts() throws Exception {
    interrupt("sleep 60", "sleep %s", 50);
    interrupt(
        "an agent that ignores INT and TERM", "trap '' INT TERM; while :; do sleep %s; done", 600);
  }

  private void interrupt(String what, String script, int goal) throws Exception {
    List<Double> times = new ArrayList<>();
    List<Double> nexts = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      Client client = service.client(Rig.workspace(), 1);
      String mark = "60." + Rig.workspace().substring(1);
      SessionHandle session = client.create(script.formatted(mark));
      await(() -> processes(mark).findAny().isPresent());
      ProcessHandle agent = processes(mark).findFirst().orElseThrow();
      double sent = System.currentTimeMillis();
      TurnHandle next = session.send("echo $EPOCHREALTIME");
      long accepted = System.nanoTime();
      await(() -> !agent.isAlive());
      times.add((System.nanoTime() - accepted) / 1e6);
      nexts.add(1000 * Double.parseDouble(next.completed().strip()) - sent);
    }
    System.out.printf(
        "follow-up to %s: gone %.0f ms after its 201 (goal %d), the next agent runs %.0f ms after it"
            + " was sent (goal %d)%n",
        what, middle(times), goal, middle(nexts), goal + 50);
    check(middle(times) < 2000, what + " lived on for " + middle(times) + " ms");
  }

  private EventStreamClient watcher(String key, SessionHandle session) {
    return new EventStreamClient(service.base(), key, session.path() + "/events");
  }

  private static void await(Callable<Boolean> holds) {
    Await.await("what was begun", TIMEOUT, Duration.ofMillis(1)).until(holds);
  }

  private static java.util.stream.Stream<ProcessHandle> processes(String mark) {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().arguments().map(all -> List.of(all).contains(mark)).orElse(false));
  }

  private static List<Double> times(Callable<?> call) throws Exception {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < POLLS; i++) {
      long start = System.nanoTime();
      call.call();
      times.add((System.nanoTime() - start) / 1e6);
    }
    return times;
  }

  private static double middle(List<Double> values) {
    return percentile(values, 50);
  }

  private static double last(List<Double> values) {
    return percentile(values, 99);
  }

  private static double percentile(List<Double> values, int part) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get((sorted.size() - 1) * part / 100);
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
    }
  }
}
