package agentsessions.runner;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.sandbox.Bubblewrap;
import agentsessions.runner.sandbox.InstalledTools;
import agentsessions.runner.sandbox.IsolationMode;
import agentsessions.runner.sandbox.LeftoverProcesses;
import agentsessions.runner.sandbox.SessionFolders;
import agentsessions.runner.sandbox.process.ControlGroups;
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.sandbox.process.ProcessTree;
import agentsessions.runner.start.RunnerHandler;
import agentsessions.runner.turn.Invocation;
import agentsessions.runner.turn.KeyContainerAddress;
import agentsessions.runner.turn.Machine;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.yaml.snakeyaml.Yaml;

/// A test bench: one session on a runner in this process, with a stand-in for the service. Agents
/// are real processes.
public final class Bench implements AutoCloseable {
  private static final Optional<String> NO_SANDBOX = Bubblewrap.refusal();

  /// A timeout for things that normally come at once: only a failure takes this long.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  public final StandIn service;
  public final String sessionId = UUID.randomUUID().toString();
  public final ObjectNode entry;
  public final Path sandboxes;
  private final RunnerHandler runner;

  /// The work of its turns beside their messages.
  public ObjectNode work = Json.MAPPER.createObjectNode();

  /// The time limit of each invocation.
  public Duration time = Duration.ofMinutes(10);

  /// The time until the deadline of each turn, when it is claimed.
  public Duration untilDeadline = Duration.ofMinutes(5);

  /// The interval of the questions whether a turn is live, and how long each may be held open.
  int checkMillis = 500;

  int waitSeconds;

  /// The interval in which a lease is renewed, a third of it.
  int renewSeconds = 15;

  private String agent = "shell";
  private Map<String, String> keys = Map.of();
  private int turn;

  private Bench(Path folder, Machine machine, ObjectNode entry) throws IOException {
    this(service(folder), machine, entry);
  }

  private Bench(StandIn service, Machine machine, ObjectNode entry) {
    this.service = service;
    this.sandboxes = machine.folders().path();
    this.runner = new RunnerHandler(machine);
    this.entry = entry;
  }

  /// The catalogue's shell agent in a sandbox; skips the test, with a message, where no sandbox can
  /// be made.
  public static Bench sandboxed(Path folder) throws IOException {
    Assumptions.assumeTrue(
        NO_SANDBOX.isEmpty(), () -> "needs bubblewrap: " + NO_SANDBOX.orElse(""));
    return new Bench(
        folder, machine(folder, IsolationMode.BUBBLEWRAP, Limits.STANDARD), entry("shell"));
  }

  public static Bench sandboxed(Path folder, Limits limits) throws IOException {
    Assumptions.assumeTrue(
        NO_SANDBOX.isEmpty(), () -> "needs bubblewrap: " + NO_SANDBOX.orElse(""));
    return new Bench(folder, machine(folder, IsolationMode.BUBBLEWRAP, limits), entry("shell"));
  }

  /// The same agent, beside the files of the object store.
  public static Bench besideObjects(Path folder) throws IOException {
    Assumptions.assumeTrue(
        NO_SANDBOX.isEmpty(), () -> "needs bubblewrap: " + NO_SANDBOX.orElse(""));
    StandIn service = service(folder);
    Map<String, String> objects =
        Map.of("OBJECTS_AT", service.link(""), "OBJECTS", folder.toString());
    return new Bench(
        service,
        machine(folder, IsolationMode.BUBBLEWRAP, Limits.STANDARD, objects),
        entry("shell"));
  }

  private static StandIn service(Path folder) throws IOException {
    return new StandIn(folder.resolve("objects"));
  }

  /// The same agent, whose session's folder travels as an object.
  public static Bench sandboxedTravelling(Path folder) throws IOException {
    Assumptions.assumeTrue(
        NO_SANDBOX.isEmpty(), () -> "needs bubblewrap: " + NO_SANDBOX.orElse(""));
    Map<String, String> travels = Map.of("SANDBOXES_KEPT", "objects");
    return new Bench(
        folder,
        machine(folder, IsolationMode.BUBBLEWRAP, Limits.STANDARD, travels),
        entry("shell"));
  }

  /// The same agent, trusted, without a sandbox.
  public static Bench unconfined(Path folder) throws IOException {
    ObjectNode trusted = entry("shell").put("isolation", "trusted");
    return new Bench(folder, machine(folder, IsolationMode.NONE, Limits.STANDARD), trusted);
  }

  /// The same again, as on Lambda: the session's folder travels as an object.
  public static Bench travelling(Path folder) throws IOException {
    ObjectNode trusted = entry("shell").put("isolation", "trusted");
    Map<String, String> lambda = Map.of("AWS_LAMBDA_FUNCTION_NAME", "Runner");
    return new Bench(folder, machine(folder, IsolationMode.NONE, Limits.STANDARD, lambda), trusted);
  }

  /// The same agent, not trusted, for a runner that is a task of its own.
  public static Bench forTask(Path folder) throws IOException {
    return new Bench(folder, machine(folder, IsolationMode.TASK, Limits.STANDARD), entry("shell"));
  }

  /// The same agent, trusted, with Claude's model entry but none of its keys.
  public static Bench keyless(Path folder, String at, String secret) throws IOException {
    ObjectNode trusted = entry("shell").put("isolation", "trusted");
    Map<String, String> keys = Map.of("KEYS_AT", at, "TASK_SECRET", secret);
    Bench bench =
        new Bench(folder, machine(folder, IsolationMode.NONE, Limits.STANDARD, keys), trusted);
    bench.hasModelOf("claude");
    return bench;
  }

  /// The same, whose keys come with the claim.
  public static Bench claimed(Path folder, Map<String, String> keys) throws IOException {
    ObjectNode trusted = entry("shell").put("isolation", "trusted").put("network", "model");
    trusted.set("model", entry("claude").get("model"));
    Bench bench = new Bench(folder, machine(folder, IsolationMode.NONE, Limits.STANDARD), trusted);
    bench.keys = keys;
    return bench;
  }

  /// Gives the agent another agent's model, under that agent's name.
  public void hasModelOf(String name) throws IOException {
    agent = name;
    entry.put("network", "model").set("model", entry(name).get("model"));
  }

  private static Machine machine(Path folder, IsolationMode isolation, Limits limits) {
    return machine(folder, isolation, limits, Map.of("SECRET", "s3cret"));
  }

  private static Machine machine(
      Path folder, IsolationMode isolation, Limits limits, Map<String, String> environment) {
    return new Machine(
        new SessionFolders(folder.resolve("sandboxes"), Optional.empty()),
        isolation,
        new InstalledTools(Optional.empty()),
        limits,
        ControlGroups.find(),
        LeftoverProcesses.fromNow(),
        KeyContainerAddress.of(environment),
        environment,
        Clock.systemUTC());
  }

  /// An entry of the catalogue, as the service hands it over.
  public static ObjectNode entry(String name) throws IOException {
    try (InputStream file = Files.newInputStream(Path.of("../../infra/agents.yaml"))) {
      Map<String, Object> catalogue = new Yaml().load(file);
      return Json.MAPPER.valueToTree(catalogue.get(name));
    }
  }

  /// Work with nothing in it.
  public static ObjectNode nothing() {
    ObjectNode work = Json.MAPPER.createObjectNode();
    work.putNull("model");
    work.putObject("variables");
    work.putObject("secrets");
    work.putArray("masked");
    work.putNull("setup");
    work.putArray("files");
    work.putArray("repositories");
    return work.put("allow_private", false);
  }

  /// Gives its turns one more repository to work on, at an address of this machine.
  public void claim(ObjectNode repository) {
    work = work.isEmpty() ? nothing() : work;
    work.put("allow_private", true);
    work.withArray("repositories").add(repository);
  }

  /// Adds a value to be masked in everything reported of its turns, as the service does for
  /// credentials.
  public void mask(String value) {
    work.withArray("masked").add(value);
  }

  /// Runs a script as a turn to its end and gives back the result; missing if there was none.
  public JsonNode run(String script) throws IOException {
    return run(offer(script));
  }

  public JsonNode run(Invocation invocation) throws IOException {
    runner.run(invocation, Deadline.of(time));
    Assertions.assertTrue(service.isReleased(), "the sandbox is released last");
    return service.result();
  }

  /// The texts of the turn's transcript.
  public String said() {
    return service.events().toString();
  }

  /// Starts a turn; the future completes when the runner has released it.
  public CompletableFuture<Void> start(String script) {
    Invocation invocation = offer(script);
    // Not in the common pool, which has hardly more threads than the machine has processors.
    return CompletableFuture.runAsync(
        () -> {
          try {
            runner.run(invocation, Deadline.of(time));
          } catch (IOException failed) {
            throw new CompletionException(failed);
          }
        },
        turn -> Thread.ofPlatform().daemon().start(turn));
  }

  /// Starts a turn, interrupts it once its script has made the file `ready`, and waits until the
  /// runner has released it.
  public void interrupt(String script) {
    CompletableFuture<Void> turn = start(script);
    await("the script's start", () -> Files.exists(work("ready")));
    service.interrupt();
    await("the turn's end", turn::isDone);
    turn.join();
  }

  public Path work(String file) {
    return sandboxes.resolve(sessionId).resolve("work").resolve(file);
  }

  public Path home(String file) {
    return sandboxes.resolve(sessionId).resolve("home").resolve(file);
  }

  public String captured(JsonNode artifact) throws IOException {
    return Files.readString(
        service.object(artifact.get("key").textValue()), StandardCharsets.UTF_8);
  }

  public static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (!condition.getAsBoolean()) {
      Assertions.assertTrue(System.nanoTime() < end, "waited in vain for " + what);
      Pause.millis(5);
    }
  }

  /// Kills the hook of a call that is being asked about.
  public void killHook() {
    ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains("/opt/gate/ask"))
        .filter(this::isInSandbox)
        .forEach(ProcessHandle::destroyForcibly);
  }

  /// Whether a process with `word` on its command line is in a sandbox of this bench.
  public boolean isInSandbox(String word) {
    return ProcessHandle.allProcesses()
        .filter(process -> !ProcessTree.isGone(process))
        .filter(process -> process.info().commandLine().orElse("").contains(word))
        .anyMatch(this::isInSandbox);
  }

  /// Whether the process is in a sandbox of this bench.
  public boolean isInSandbox(ProcessHandle process) {
    return kernel(process, "mountinfo").contains(sessionId);
  }

  /// The content of a file in a process's `/proc` folder, see proc(5); empty if the process is
  /// gone.
  static String kernel(ProcessHandle process, String file) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid(), file));
    } catch (IOException gone) {
      return "";
    }
  }

  /// Runs on with a turn that was parked for the call that was asked about last.
  ///
  /// @param decision `decision`, and what else a decision has
  public JsonNode goOn(String script, Map<String, ?> decision) throws IOException {
    JsonNode asked = service.decider().asked().getLast();
    ObjectNode parked = work.putObject("parked");
    for (String field : new String[] {"call", "tool", "kind", "title", "fingerprint"}) {
      parked.set(field, asked.get(field));
    }
    decision.forEach((field, value) -> parked.set(field, Json.MAPPER.valueToTree(value)));
    JsonNode result = run(service.offerAgain(claim(script)));
    work.remove("parked");
    return result;
  }

  /// Offers a turn to a runner.
  public Invocation offer(String script) {
    return service.offer(claim(script));
  }

  private ObjectNode claim(String script) {
    turn++;
    ObjectNode claim =
        Json.MAPPER
            .createObjectNode()
            .put("token", "token " + turn)
            .put("fence", turn)
            .put("workspace", "w")
            .put("session_id", sessionId)
            .put("thread_id", UUID.randomUUID().toString())
            .put("turn_number", turn)
            .put("agent_name", agent)
            .put("message", script)
            .put("deadline_at", (System.currentTimeMillis() + untilDeadline.toMillis()) / 1000.0)
            .put("check_millis", checkMillis)
            .put("wait_seconds", waitSeconds)
            .put("renew_seconds", renewSeconds)
            .put("snapshot_url", service.snapshotUrl())
            .put("sandbox_lost", service.isSandboxLost());
    if (!keys.isEmpty()) {
      claim.set("keys", Json.MAPPER.valueToTree(keys));
    }
    claim.set("agent", entry);
    claim.set("work", work.isEmpty() ? null : work);
    return claim;
  }

  @Override
  public void close() {
    service.close();
  }

  /// What the service keeps of a turn's patch, for the claims that follow.
  public void keepPatch(ObjectNode repository, JsonNode report) {
    for (String field : List.of("base_commit", "patch_sha256", "tree")) {
      repository.set(field, report.path(field));
    }
    repository.put("patch_url", service.link(report.path("patch_key").asText()));
  }

  /// The repository `team/app.git` of a git host, as a claim names it.
  public static ObjectNode repository(GitHost host) {
    ObjectNode fresh =
        Json.MAPPER
            .createObjectNode()
            .put("number", 1)
            .put("url", host.url("team/app.git"))
            .put("path", "app")
            .put("depth", 50)
            .put("submodules", false);
    Stream.of("ref", "base_commit", "patch_sha256", "patch_url", "tree", "push")
        .forEach(fresh::putNull);
    fresh.putArray("pushed");
    fresh.putObject("credential").put("username", GitHost.USER).put("password", GitHost.PASSWORD);
    return fresh;
  }
}
