package agentsessions.chaos.kills;

import static agentsessions.talk.Await.await;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.ProxyReply;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/// `kill -9` of the service with all its children, or of its runner, while sessions wait for a
/// person's decision, each at a stage of its request. Afterwards no decision may be lost, made
/// twice or invented: what was allowed has run once at most, and once where its turn completed;
/// what was not allowed has not run; and each session goes on.
public final class RequestKills implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  /// Three keys have 300 requests a minute.
  private static final Duration PACE = Duration.ofMillis(300);

  /// A decision is on its way for so long, and a turn with its tool, or until it is parked.
  private static final List<Integer> LONGEST_PAUSES_MILLIS = List.of(150, 1_500);

  private static final int A_ROUND = 6;
  private static final Pattern PARKED = Pattern.compile("\"PARKED\"");
  private static final String SCRIPT = "echo ran >>ran; echo done";

  private final AwsProxy wire = AwsProxy.open((call, onward) -> onward.send());
  private final ServiceProcess service;
  private final SessionSteps<Waiting> steps = new SessionSteps<>();
  private final Map<String, Integer> ends = Collections.synchronizedMap(new TreeMap<>());
  private int kills;

  public RequestKills(Path data) throws IOException {
    service = new ServiceProcess(data, wire.properties());
    service.await();
  }

  /// Where a session's request stands when the process is killed.
  private enum Stage {
    /// Its agent waits.
    HELD(900, ""),
    /// It is decided in the moment of the kill.
    DECIDED_WHILE_HELD(900, ""),
    /// Its hold ends about the moment of the kill.
    PARKING(1, ""),
    PARKED(0, ""),
    DECIDED_WHILE_PARKED(0, ""),
    /// The decision is written, and the turn's execution not yet started.
    NOT_STARTED(0, "StartExecution"),
    /// The turn's second runner has claimed it.
    CLAIMED_AGAIN(0, "set_token_hash");

    private final int holdSeconds;
    private final Pattern step;

    Stage(int holdSeconds, String step) {
      this.holdSeconds = holdSeconds;
      this.step = Pattern.compile(step);
    }

    boolean isParkedFirst() {
      return holdSeconds == 0;
    }

    boolean isDecidedBefore() {
      return this == DECIDED_WHILE_HELD || this == DECIDED_WHILE_PARKED;
    }

    boolean isAtStep() {
      return this == NOT_STARTED || this == CLAIMED_AGAIN;
    }

    /// Whether no runner has the turn when the process is killed, so that it must complete.
    boolean isSafe() {
      return this == PARKED || this == NOT_STARTED;
    }

    boolean isStep(AwsCall call) {
      return step.matcher(call.operation() + " " + call.body()).find();
    }
  }

  /// Kills so many times.
  ///
  /// @param seed of the first round; each further one adds one
  public RequestKills run(int count, long seed) throws Exception {
    for (int round = 0; round < count; round++) {
      round(round % 2 == 0 ? Kills.Victim.SERVICE : Kills.Victim.RUNNER, seed + round);
    }
    return this;
  }

  public List<String> failures() {
    return steps.failures();
  }

  public String figures() {
    return "%d kills, %d failures; turns ended %s".formatted(kills, failures().size(), ends);
  }

  @Override
  public void close() {
    service.close();
    wire.close();
  }

  /// What takes a moment only is last before the kill: a decision, and a hold that ends.
  private void round(Kills.Victim victim, long seed) throws Exception {
    Instant began = Instant.now();
    RandomGenerator random = new SplittableRandom(seed);
    List<Waiting> sessions = new ArrayList<>();
    for (int i = 0; i < A_ROUND; i++) {
      Stage stage = Stage.values()[random.nextInt(Stage.values().length)];
      String word = random.nextBoolean() ? "allow" : "deny";
      sessions.add(new Waiting(stage, word, "seed %d, %s".formatted(seed, victim)));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      steps.each(threads, of(sessions, stage -> stage != Stage.PARKING), Waiting::arrive);
      List<Waiting> atStep = of(sessions, Stage::isAtStep);
      Future<?> first = decide(threads, atStep);
      steps.each(threads, atStep, Waiting::reach);
      steps.each(threads, of(sessions, stage -> stage == Stage.PARKING), Waiting::arrive);
      Future<?> last = decide(threads, of(sessions, Stage::isDecidedBefore));
      int choice = random.nextInt(LONGEST_PAUSES_MILLIS.size());
      Killer.pause(random, LONGEST_PAUSES_MILLIS.get(choice));
      Instant killed = Instant.now();
      victim.die(service, () -> sessions.forEach(session -> wire.forget(session.id)));
      kills++;
      first.get();
      last.get();
      steps.each(threads, sessions, Waiting::end);
      System.out.printf(
          "  %d, %s: killed after %d ms, ended %d ms later%n",
          kills, victim, millis(began, killed), millis(killed, Instant.now()));
    }
  }

  private Future<?> decide(ExecutorService threads, List<Waiting> sessions) {
    return threads.submit(() -> {
      steps.each(threads, sessions, Waiting::decideBefore);
      return null;
    });
  }

  private static long millis(Instant from, Instant until) {
    return Duration.between(from, until).toMillis();
  }

  private static List<Waiting> of(List<Waiting> sessions, Predicate<Stage> which) {
    return sessions.stream().filter(session -> which.test(session.stage)).toList();
  }

  /// A session whose first turn waits for a decision.
  private final class Waiting {
    private final Stage stage;
    private final String word;
    private final String round;
    private final Client client;
    private final CountDownLatch parked = new CountDownLatch(1);
    private final CountDownLatch reached = new CountDownLatch(1);
    private String id = "none yet";
    private String request = "none yet";
    private volatile boolean answered;

    Waiting(Stage stage, String word, String round) throws IOException {
      this.stage = stage;
      this.word = word;
      this.round = round;
      this.client = service.client(Rig.workspace(), 3);
    }

    @Override
    public String toString() {
      return "%s, %s, %s, %s".formatted(round, stage, word, id);
    }

    void arrive() throws InterruptedException {
      Map<String, Object> permissions = Map.of("default", "ask", "hold_seconds", stage.holdSeconds);
      id =
          client
              .post(
                  "/sessions",
                  Map.of("agent_name", "shell", "message", SCRIPT, "permissions", permissions))
              .expect(201)
              .text("/id");
      wire.rule(id, this::watch);
      until("a request", () -> requests().size() == 1);
      request = path() + "/requests/" + requests().getFirst().path("id").asText();
      if (stage.isParkedFirst()) {
        require("it is not parked", parked.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
      }
    }

    /// Decides as the process is killed, or just before; the answer may be lost with it.
    void decideBefore() {
      if (stage.isAtStep()) {
        wire.rule(id, this::hold);
      }
      try {
        answered = decide().status() == 200;
      } catch (UncheckedIOException killed) {
        // Expected: the service was killed.
      }
    }

    private ProxyReply watch(AwsCall call, AwsProxy.Onward onward)
        throws IOException, InterruptedException {
      ProxyReply reply = onward.send();
      if (reply.status() == 200 && PARKED.matcher(call.body()).find()) {
        parked.countDown();
      }
      return reply;
    }

    private ProxyReply hold(AwsCall call, AwsProxy.Onward onward)
        throws IOException, InterruptedException {
      if (!stage.isStep(call)) {
        return onward.send();
      }
      if (stage == Stage.CLAIMED_AGAIN) {
        onward.send();
      }
      reached.countDown();
      return ProxyReply.HELD;
    }

    void reach() throws InterruptedException {
      require("no step is reached", reached.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }

    void end() throws Exception {
      ApiResponse again = decide();
      if (stage.isSafe()) {
        again.expect(200);
      } else {
        require("it is answered by " + again, Set.of(200, 409).contains(again.status()));
        age();
      }
      answered |= again.status() == 200;
      until("the end of the turn", () -> !isLive());
      check(thread(), client.get(request).expect(200).json());
      goOn();
    }

    /// What those had taken that were killed would run out by itself, only later.
    private void age() throws IOException {
      String partition =
          "W#%s#S#%s".formatted(client.get("/me").expect(200).text("/workspace"), id);
      service.ageTaken(partition, "T#" + thread().path("id").asText());
      service.ageTaken(partition, "BOX");
    }

    private void check(JsonNode thread, JsonNode asked) throws IOException {
      String status = thread.path("status").asText();
      String how = status.equals("failed") ? thread.at("/error/code").asText() : status;
      ends.merge(stage + " " + word + ": " + how, 1, Integer::sum);
      String decision = asked.at("/decision/decision").asText("none");
      require("it was answered, and is " + asked, !answered || decision.equals(word));
      require("it is " + asked, List.of(word, "none").contains(decision));
      require("it ended as " + how, isRight(how, decision));
      long runs = runs();
      boolean isAllowed = decision.equals("allow");
      require("it ran %d times, %s".formatted(runs, how), runs <= (isAllowed ? 1 : 0));
      require("it did not run", !isAllowed || runs == 1 || !how.equals("completed"));
    }

    private boolean isRight(String how, String decision) {
      boolean isDone = how.equals(decision.equals("deny") ? "AGENT_FAILED" : "completed");
      return stage.isSafe()
          ? isDone
          : (isDone && !decision.equals("none")) || how.equals("RUNNER_LOST");
    }

    private long runs() throws IOException {
      Path ran = service.data().resolve("sandboxes").resolve(id).resolve("work").resolve("ran");
      return Files.exists(ran) ? Files.readAllLines(ran).size() : 0;
    }

    /// The next turn, too, is asked about, and decided.
    private void goOn() {
      client.post(path() + "/messages", Map.of("message", "echo next")).expect(201);
      until("the next request", () -> requests().size() == 1);
      String next = path() + "/requests/" + requests().getFirst().path("id").asText();
      client.post(next + "/decision", Map.of("decision", "allow")).expect(200);
      until("the next reply", () -> thread().path("status").asText().equals("completed"));
    }

    private ApiResponse decide() {
      return client.post(request + "/decision", Map.of("decision", word));
    }

    private String path() {
      return "/sessions/" + id;
    }

    private List<JsonNode> requests() {
      return items("/requests?session_id=" + id);
    }

    /// The newest thread.
    private JsonNode thread() {
      return items(path() + "/threads").getLast();
    }

    private List<JsonNode> items(String page) {
      List<JsonNode> items = new ArrayList<>();
      client.get(page).expect(200).json().path("items").forEach(items::add);
      return items;
    }

    private boolean isLive() {
      return List.of("queued", "running", "requires_action")
          .contains(thread().path("status").asText());
    }

    private void until(String what, BooleanSupplier holds) {
      await(what + " in " + id, TIMEOUT, PACE).until(holds::getAsBoolean);
    }

    private void require(String what, boolean holds) {
      if (!holds) {
        throw new AssertionError(what);
      }
    }
  }
}
