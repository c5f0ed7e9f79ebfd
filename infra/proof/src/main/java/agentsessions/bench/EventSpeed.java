package agentsessions.bench;

import agentsessions.chaos.races.EventStreamClient;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// Latency of events and interrupts on one machine: from the acceptance of a message to its event,
/// of a poll beside 64 watchers, and from an interrupt to the end of its agent. Medians; of the
/// times only ratios of one run mean much on a shared machine.
final class EventSpeed {
  private static final int ROUNDS = 5;
  private static final int POLLS = 100;
  private static final int WATCHERS = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /// Begins once its watchers are there. Prints each time twice, since a last line is held back,
  /// and then waits, since the lines of a second make one event.
  private static final String PRINTING =
      "sleep 1; for i in {1..6}; do t=$EPOCHREALTIME; echo $t; echo $t; sleep 1.2; done";

  private final ServiceProcess service;
  private final SpeedReport report;

  private EventSpeed(ServiceProcess service, SpeedReport report) {
    this.service = service;
    this.report = report;
  }

  static List<String> run(Path data) throws Exception {
    SpeedReport report = new SpeedReport();
    try (ServiceProcess service = new ServiceProcess(data.resolve("timed"), Map.of())) {
      service.await();
      EventSpeed speed = new EventSpeed(service, report);
      speed.events();
      speed.watched();
      measure(service, Optional.empty(), report);
    }
    return report.print();
  }

  /// Measures interrupts, beside those of opencode, and what an agent prints.
  static void measure(ServiceProcess service, Optional<OpencodeServer> opencode, SpeedReport report)
      throws Exception {
    EventSpeed speed = new EventSpeed(service, report);
    speed.interrupts(opencode);
    report.add(
        "a line of the agent to its event, 1 · 64 watchers, ms",
        "%.0f · %.0f".formatted(speed.printed(1), speed.printed(WATCHERS)),
        "",
        "30 · 60");
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
    report.check(middle(seen) - middle(accepted) < 500, "an event came late");
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
    List<EventStreamClient> crowd = crowd(workspace, session, WATCHERS);
    beside.addAll(times(() -> client.get(link).expect(200)));
    for (EventStreamClient watcher : crowd) {
      watcher.close();
    }
  }

  /// From what an agent prints, which is the time, to its event at each of so many watchers.
  private double printed(int watchers) throws Exception {
    String workspace = Rig.workspace();
    SessionHandle session = service.client(workspace, 4).patient().create(PRINTING);
    List<EventStreamClient> crowd = crowd(workspace, session, watchers);
    double zero = System.currentTimeMillis() - System.nanoTime() / 1e6;
    List<Double> times = new ArrayList<>();
    for (EventStreamClient watcher : crowd) {
      watcher.await("the end", event -> event.type().equals("thread.completed"));
      for (EventStreamClient.Event event : watcher.events()) {
        JsonNode message = Client.JSON.readTree(event.data());
        if (event.type().equals("message.created")
            && message.path("role").asText().equals("assistant")
            && message.path("type").asText().equals("message")) {
          String last = message.path("message").asText().lines().toList().getLast();
          double said = 1000 * Double.parseDouble(last);
          times.add(zero + event.nanos() / 1e6 - said);
        }
      }
      watcher.close();
    }
    return middle(times);
  }

  private List<EventStreamClient> crowd(String workspace, SessionHandle session, int watchers)
      throws Exception {
    String key = service.key(workspace);
    List<EventStreamClient> crowd = new ArrayList<>();
    for (int i = 0; i < watchers; i++) {
      crowd.add(watcher(key, session).follow());
    }
    return crowd;
  }

  private void interrupts(Optional<OpencodeServer> opencode) throws Exception {
    interrupt("`sleep 60`", "sleep %s", 50, opencode);
    interrupt(
        "an agent that ignores INT and TERM",
        "trap '' INT TERM; while :; do sleep %s; done",
        600,
        Optional.empty());
  }

  private void interrupt(String what, String script, int goal, Optional<OpencodeServer> opencode)
      throws Exception {
    List<Double> times = new ArrayList<>();
    List<Double> nexts = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      Client client = service.client(Rig.workspace(), 1);
      String mark = "60." + Rig.workspace().substring(1);
      SessionHandle session = client.create(script.formatted(mark));
      ProcessHandle agent = process(mark);
      double sent = System.currentTimeMillis();
      TurnHandle next = session.send("echo $EPOCHREALTIME");
      long accepted = System.nanoTime();
      await(() -> !agent.isAlive());
      times.add((System.nanoTime() - accepted) / 1e6);
      nexts.add(1000 * Double.parseDouble(next.completed().strip()) - sent);
      opencode.ifPresent(peer -> theirs.add(handover(peer)));
    }
    report.add(
        "follow-up to " + what + ": it is gone after the 201 · the next runs after it was sent, ms",
        "%.0f · %.0f".formatted(middle(times), middle(nexts)),
        theirs.isEmpty() ? "" : "opencode's next call of the model %.0f".formatted(middle(theirs)),
        "%d · %d".formatted(goal, goal + 50));
    report.check(middle(times) < 2000, what + " lived on for " + middle(times) + " ms");
  }

  /// From the abort of opencode's turn to the first call of its model about the next message.
  private static double handover(OpencodeServer opencode) {
    String mark = "61." + Rig.workspace().substring(1);
    String session = opencode.create();
    opencode.send(session, "sleep " + mark);
    ProcessHandle _ = process(mark);
    long sent = System.nanoTime();
    opencode.abort(session);
    opencode.send(session, "echo " + mark);
    return (opencode.asked("echo " + mark) - sent) / 1e6;
  }

  private EventStreamClient watcher(String key, SessionHandle session) {
    return new EventStreamClient(service.base(), key, session.path() + "/events");
  }

  private static void await(Callable<Boolean> holds) {
    Await.await("what was begun", TIMEOUT, Duration.ofMillis(1)).until(holds);
  }

  /// The process with this word among its arguments, once it runs.
  private static ProcessHandle process(String mark) {
    await(() -> processes(mark).findAny().isPresent());
    return processes(mark).findFirst().orElseThrow();
  }

  private static Stream<ProcessHandle> processes(String mark) {
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
}
