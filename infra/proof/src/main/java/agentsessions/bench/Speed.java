package agentsessions.bench;

import agentsessions.chaos.faults.CallCounter;
import agentsessions.chaos.faults.Fault;
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
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// The AWS calls of each operation, which are exact, and times, which are medians and of which only
/// the ratios of one run mean anything.
final class Speed {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private Speed() {}

  static List<String> run(Path data, int rounds) throws Exception {
    List<String> broken = new ArrayList<>();
    try (Rig rig = Rig.still(data.resolve("counted"))) {
      calls(rig);
      pages(rig);
    }
    Instant start = Instant.now();
    try (ServiceProcess service = new ServiceProcess(data.resolve("timed"), Map.of())) {
      service.await();
      started(service, start);
      Throughput.run(service, data, System.out);
      for (int i = 0; i < rounds; i++) {
        turns(service);
        interrupts(service, broken);
      }
    }
    try (AwsProxy wire = AwsProxy.open((call, onward) -> onward.send());
        ServiceProcess service = new ServiceProcess(data.resolve("lost"), wire.properties())) {
      service.await();
      lostStart(wire, service, broken);
      stoppedRunner(service, broken);
    }
    return broken;
  }

  private static void calls(Rig rig) throws Exception {
    System.out.println("AWS calls, after the authorizer's cache (transactions with their items):");
    for (Map.Entry<String, List<AwsCall>> one :
        new CallCounter(rig).of(CallCounter.all()).entrySet()) {
      System.out.printf("  %-36s %s%n", one.getKey(), CallCounter.told(one.getValue()));
    }
  }

  /// Compares a page of 50 messages in a history of 10,000 with one in a history of 100.
  private static void pages(Rig rig) throws Exception {
    double few = page(rig, 100);
    double many = page(rig, 10_000);
    System.out.printf(
        "page of 50: p50 %.1f ms at 100 messages, %.1f at 10,000: ratio %.2f (goal 1.3)%n",
        few, many, many / few);
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

  private static void started(ServiceProcess service, Instant start) throws IOException {
    Duration cpu =
        ProcessHandle.of(service.pid()).orElseThrow().info().totalCpuDuration().orElseThrow();
    System.out.printf(
        "start: first 200 after %d ms, %.1f CPU-s and %d MiB in the service's process%n",
        Duration.between(start, Instant.now()).toMillis(),
        cpu.toMillis() / 1000.0,
        memory(service.pid()));
    service
        .runners()
        .forEach(
            runner -> System.out.printf("       %d MiB in the runner's%n", memory(runner.pid())));
    service
        .child("ParentWatch")
        .ifPresent(database ->
            System.out.printf("       %d MiB in the database's%n", memory(database.pid())));
  }

  /// The agent prints the times of its start and its end.
  private static void turns(ServiceProcess service) throws Exception {
    List<Double> toAgent = new ArrayList<>();
    List<Double> toReply = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      Client client = service.client(Rig.workspace(), 3);
      JsonNode session = create(client, "echo $EPOCHREALTIME; sleep 1; echo $EPOCHREALTIME");
      double accepted = now();
      String link = session.at("/_links/final_message/href").asText();
      LockSupport.parkNanos(Duration.ofMillis(900).toNanos());
      List<String> said = reply(client, link).lines().toList();
      double visible = now();
      if (i > 0) { // the first turn warms the runner
        toAgent.add(Double.parseDouble(said.get(0)) - accepted);
        toReply.add(visible - Double.parseDouble(said.get(1)));
      }
    }
    System.out.printf(
        "turn: accepted -> agent runs %.0f ms (goal 50), agent ends -> reply visible %.0f ms"
            + " (goal 50)%n",
        1000 * Median.of(toAgent), 1000 * Median.of(toReply));
  }

  private static void interrupts(ServiceProcess service, List<String> broken) throws Exception {
    interrupt(service, "sleep 60", "sleep %s", 2.0, broken);
    interrupt(
        service,
        "an agent that ignores INT and TERM",
        "trap '' INT TERM; while :; do sleep %s; done",
        2.5,
        broken);
  }

  private static void interrupt(
      ServiceProcess service, String what, String script, double goal, List<String> broken)
      throws Exception {
    String mark = ProcessMark.fresh().toString();
    Client client = service.client(Rig.workspace(), 1);
    JsonNode session = create(client, script.formatted(mark));
    await(() -> service.runs(mark));
    long start = System.nanoTime();
    client
        .post(
            "/sessions/" + session.path("id").asText() + "/messages", Map.of("message", "echo on"))
        .expect(201);
    await(() -> !service.runs(mark));
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("follow-up to %s: gone after %.2f s (promise %.1f)%n", what, seconds, goal);
    check(seconds <= goal, what + " lived on for " + seconds, broken);
  }

  /// The start of the execution is lost, so only the sweep can begin the turn.
  private static void lostStart(AwsProxy wire, ServiceProcess service, List<String> broken)
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
    System.out.printf("a lost start runs after %.1f s (promise 5)%n", seconds);
    check(seconds <= 5.5, "a lost start took " + seconds, broken);
  }

  /// A runner that is stopped by SIGSTOP: it lives as a process and answers nothing.
  private static void stoppedRunner(ServiceProcess service, List<String> broken) throws Exception {
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
    System.out.printf(
        "a stopped runner's turn is closed after %.1f s (promise 60): %s%n", seconds, reply);
    check(seconds <= 60 && reply.startsWith("This turn failed"), "closing: " + seconds, broken);
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

  private static void check(boolean holds, String otherwise, List<String> broken) {
    if (!holds) {
      broken.add(otherwise);
    }
  }

  private static long memory(long pid) {
    try {
      return java.nio.file.Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException notLinux) {
      return 0;
    }
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
