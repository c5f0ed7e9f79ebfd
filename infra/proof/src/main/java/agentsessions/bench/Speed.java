package agentsessions.bench;

import agentsessions.chaos.faults.CallCounter;
import agentsessions.chaos.faults.Fault;
import agentsessions.chaos.hostile.ProcessorTime;
import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The AWS calls of each operation, which are exact, and times, which are medians and of which only
/// the ratios of one run mean anything.
final class Speed {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private Speed() {}

  static List<String> run(Path data, int rounds) throws Exception {
    SpeedReport report = new SpeedReport();
    try (Rig rig = Rig.still(data.resolve("counted"))) {
      calls(rig);
      pages(rig, report);
    }
    ManySessions many = ManySessions.kept(data);
    Start empty;
    try (ServiceProcess service = new ServiceProcess(data.resolve("empty"), Map.of())) {
      empty = Start.of(service);
    }
    try (ServiceProcess service =
        new ServiceProcess(many.copy("data", data.resolve("many")), Map.of())) {
      Start full = Start.of(service);
      try (@Nullable OpencodeServer opencode =
              OpencodeServer.start(many.copy("home", data.resolve("home")), many.project())
                  .orElse(null);
          @Nullable OpenhandsServer openhands =
              OpenhandsServer.start(data.resolve("openhands")).orElse(null)) {
        Peers peers = new Peers(Optional.ofNullable(opencode), Optional.ofNullable(openhands));
        started(empty, full, peers, report);
        beside(service, peers, rounds, report);
      }
      DecisionSpeed.measure(service, report);
      Fairness.measure(service, 100, report);
      LargeFiles.measure(service, data, report);
    }
    // It has large files.
    new ProcessBuilder("rm", "-rf", data.resolve("many").toString()).start().waitFor();
    broken(data.resolve("lost"), report);
    return report.print();
  }

  /// What others do, too.
  private static void beside(ServiceProcess service, Peers peers, int rounds, SpeedReport report)
      throws Exception {
    System.out.println(peers.told());
    Throughput.run(service, peers).print(System.out);
    for (int i = 0; i < rounds; i++) {
      turns(service, peers, report);
      EventSpeed.measure(service, peers.opencode(), report);
    }
    TurnRates.measure(service, peers, report);
  }

  /// What is lost or hangs.
  private static void broken(Path data, SpeedReport report) throws Exception {
    try (AwsProxy wire = AwsProxy.open((call, onward) -> onward.send());
        ServiceProcess service = new ServiceProcess(data, wire.properties())) {
      service.await();
      lostStart(wire, service, report);
      stoppedRunner(service, report);
    }
  }

  private static void calls(Rig rig) throws Exception {
    System.out.println("AWS calls, after the authorizer's cache (transactions with their items):");
    for (Map.Entry<String, List<AwsCall>> one :
        new CallCounter(rig).of(CallCounter.all()).entrySet()) {
      System.out.printf("  %-36s %s%n", one.getKey(), CallCounter.told(one.getValue()));
    }
  }

  /// Compares a page of 50 messages in a history of 10,000 with one in a history of 100.
  private static void pages(Rig rig, SpeedReport report) throws Exception {
    double many = page(rig, 10_000); // first, since the later one is warmer
    double few = page(rig, 100);
    report.add(
        "a page of 50 of 10,000 messages, of the time of one of 100",
        "%.2f".formatted(many / few),
        "",
        "1.3");
  }

  private static double page(Rig rig, int messages) throws Exception {
    RigSession talk = new RigSession(rig, 3);
    StubRunner runner = talk.runner(talk.create("one")).claimed();
    String[] batch = Collections.nCopies(50, "a line of what an agent says").toArray(new String[0]);
    for (int sent = 0; sent < messages; sent += batch.length) {
      runner.say(sent, batch).expect(200);
    }
    return median(200, () -> talk.client().get(talk.path() + "/messages?limit=50").expect(200));
  }

  /// The start of a service, and the first turn after it, in seconds.
  private record Start(double answers, double used, double turn) {
    /// @param service one that has just been started
    static Start of(ServiceProcess service) throws IOException {
      double answers = seconds(service.await());
      double used = seconds(ProcessorTime.of(service.processes()));
      Client client = service.client(Rig.workspace(), 1);
      long sent = System.nanoTime();
      TurnRates.turn(client);
      return new Start(answers, used, (System.nanoTime() - sent) / 1e9);
    }
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }

  private static void started(Start empty, Start many, Peers peers, SpeedReport report) {
    report.add(
        "start to the first keyed 200, empty · with 10,000 sessions, without class caches, s",
        "%.1f · %.1f".formatted(empty.answers, many.answers),
        Peers.beside(
            peers.opencode().map(peer -> "%.1f".formatted(seconds(peer.started()))).orElse(""),
            peers
                .openhands()
                .map(peer -> "%.1f (empty)".formatted(seconds(peer.started())))
                .orElse("")),
        "half of opencode's");
    report.add(
        "processor time until then, s", "%.1f · %.1f".formatted(empty.used, many.used), "", "2.3");
    report.add(
        "the first turn after it, s", "%.1f · %.1f".formatted(empty.turn, many.turn), "", "1 · 1");
  }

  /// The agent prints the times of its start and its end.
  private static void turns(ServiceProcess service, Peers peers, SpeedReport report)
      throws Exception {
    List<Double> toAgent = new ArrayList<>();
    List<Double> toReply = new ArrayList<>();
    List<Double> opencode = new ArrayList<>();
    List<Double> openhands = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      Client client = service.client(Rig.workspace(), 3);
      double sent = now();
      JsonNode session = create(client, "echo $EPOCHREALTIME; sleep 0.5; echo $EPOCHREALTIME");
      String link = session.at("/_links/final_message/href").asText();
      LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
      List<String> said = reply(client, link).lines().toList();
      double visible = now();
      if (i > 0) { // the first turn warms the runner
        toAgent.add(Double.parseDouble(said.get(0)) - sent);
        toReply.add(visible - Double.parseDouble(said.get(1)));
        peers.opencode().ifPresent(peer -> opencode.add(begun(peer)));
        peers.openhands().ifPresent(peer -> openhands.add(begun(peer)));
      }
    }
    report.add(
        "a first message sent to the agent's start · its end to the visible reply, ms",
        "%.0f · %.0f".formatted(1000 * Median.of(toAgent), 1000 * Median.of(toReply)),
        Peers.beside(toModel(opencode), toModel(openhands)),
        "50 · 20");
  }

  private static double begun(OpencodeServer opencode) {
    String message = "echo " + Rig.workspace();
    long sent = System.nanoTime();
    opencode.send(opencode.create(), message);
    return (opencode.asked(message) - sent) / 1e9;
  }

  private static double begun(OpenhandsServer openhands) {
    String message = "echo " + Rig.workspace();
    long sent = System.nanoTime();
    String conversation = openhands.create(message);
    long asked = openhands.asked(message);
    openhands.end(conversation); // the rest of a turn must not fall on the next measurement
    return (asked - sent) / 1e9;
  }

  /// @param times seconds; empty where nothing was measured
  private static String toModel(List<Double> times) {
    return times.isEmpty()
        ? ""
        : "%.0f to its model's first call".formatted(1000 * Median.of(times));
  }

  /// The start of the execution is lost, so only the sweep can begin the turn.
  private static void lostStart(AwsProxy wire, ServiceProcess service, SpeedReport report)
      throws Exception {
    String workspace = Rig.workspace();
    Client client = service.client(workspace, 3);
    reply(client, create(client, "true; echo warm").at("/_links/final_message/href").asText());
    wire.rule(
        workspace,
        (call, onward) ->
            call.operation().equals("StartExecution") && call.body().contains("-1\"")
                ? Fault.UNHEARD.reply(call, onward)
                : onward.send());
    double sent = now();
    JsonNode session = create(client, "echo $EPOCHREALTIME");
    String link = session.at("/_links/final_message/href").asText();
    double seconds = Double.parseDouble(reply(client, link).strip()) - sent;
    report.add("a turn whose start was lost runs after, s", "%.1f".formatted(seconds), "", "5");
    report.check(seconds <= 5.5, "a lost start took " + seconds);
  }

  /// A runner that is stopped by SIGSTOP: it lives as a process and answers nothing.
  private static void stoppedRunner(ServiceProcess service, SpeedReport report) throws Exception {
    String mark = ProcessMark.fresh().toString();
    Client client = service.client(Rig.workspace(), 3);
    JsonNode session = create(client, "sleep " + mark);
    await(() -> service.runs(mark));
    List<Long> runners = service.runners().stream().map(ProcessHandle::pid).toList();
    for (long pid : runners) {
      signal("-STOP", pid);
    }
    long start = System.nanoTime();
    String reply = reply(client, session.at("/_links/final_message/href").asText());
    double seconds = (System.nanoTime() - start) / 1e9;
    for (long pid : runners) {
      signal("-CONT", pid);
    }
    report.add(
        "the turn of a runner that hangs has ended after, s", "%.0f".formatted(seconds), "", "60");
    report.check(
        seconds <= 60 && reply.startsWith("This turn failed"),
        "after %.1f s: ".formatted(seconds) + reply);
  }

  private static void signal(String signal, long pid) throws Exception {
    new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor();
  }

  private static JsonNode create(Client client, String message) throws Exception {
    return client
        .post("/sessions", Map.of("agent_name", "shell", "message", message))
        .expect(201)
        .json();
  }

  private static String reply(Client client, String link) throws Exception {
    return Await.await("a reply", TIMEOUT, Duration.ofMillis(5))
        .until(() -> client.get(link).json().path("items"), items -> !items.isEmpty())
        .at("/0/message")
        .asText();
  }

  private static void await(Callable<Boolean> holds) {
    Await.await("what was begun", TIMEOUT, Duration.ofMillis(10)).until(holds);
  }

  /// The median latency of a call, in milliseconds.
  private static double median(int count, Callable<?> call) throws Exception {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      call.call();
      times.add((System.nanoTime() - start) / 1e6);
    }
    return Median.of(times);
  }

  private static double now() {
    Instant now = Instant.now();
    return now.getEpochSecond() + now.getNano() / 1e9;
  }
}
