package agentsessions.chaos.races;

import static agentsessions.talk.Await.await;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.chaos.rig.TurnIds;
import agentsessions.talk.ApiResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Races of a follow-up, a runner's completion, an interrupt and another follow-up on one session,
/// watched by a reader; the `CallHistory` of each session is checked.
public final class Races {
  private static final int ROUNDS = 20;
  private static final int AT_ONCE = 4;
  private static final int KEYS = 5;
  private static final long LONGEST_PAUSE = 12_000_000;

  private final Rig rig;
  private final long seed;
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger races = new AtomicInteger();
  private final Map<String, AtomicInteger> ends = new java.util.concurrent.ConcurrentHashMap<>();

  /// @param seed of all chance in a race: the order of the racers and their pauses
  public Races(Rig rig, long seed) {
    this.rig = rig;
    this.seed = seed;
  }

  /// Runs about `count` races with stub runners, and `real` with the real one.
  public Races run(int count, int real) throws Exception {
    List<Callable<Void>> sessions = new ArrayList<>();
    for (int left = real; left > 0; left -= ROUNDS) {
      int rounds = Math.min(left, ROUNDS);
      Random random = new Random(seed + sessions.size());
      sessions.add(() -> session(rounds, true, random));
    }
    for (int left = count; left > 0; left -= ROUNDS) {
      int rounds = Math.min(left, ROUNDS);
      Random random = new Random(seed + sessions.size());
      sessions.add(() -> session(rounds, false, random));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<Void> done : threads.invokeAll(sessions)) {
        done.get();
      }
    }
    return this;
  }

  public List<String> violations() {
    return violations;
  }

  public String figures() {
    return "%d races, %d violations; threads ended %s"
        .formatted(races.get(), violations.size(), ends);
  }

  private Void session(int rounds, boolean real, Random random) throws Exception {
    RigSession talk = new RigSession(rig, KEYS);
    CallHistory history = new CallHistory();
    if (real) {
      rig.wire().rule(talk.workspace(), (call, onward) -> onward.send());
    }
    talk.create("true");
    for (int round = 0; round < rounds; round++) {
      new Race(talk, history, round, real, random).run();
      if (races.incrementAndGet() % 500 == 0) {
        System.out.println(figures());
      }
    }
    List<JsonNode> threads = talk.items(talk.path() + "/threads?limit=100");
    threads.forEach(thread ->
        ends.computeIfAbsent(thread.path("status").asText(), status -> new AtomicInteger())
            .incrementAndGet());
    history
        .violations(talk.items(talk.path() + "/messages?limit=100"), threads)
        .forEach(wrong -> violations.add(talk.session() + ": " + wrong));
    rig.wire().forget(talk.workspace());
    return null;
  }

  private record Race(
      RigSession talk, CallHistory history, int round, boolean real, Random random) {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    void run() throws Exception {
      if (round > 0) {
        String text = "echo c" + round;
        history.log("send", text, () -> talk.send(text)).expect(201);
      }
      TurnIds current = current();
      long toWork = random.nextLong(LONGEST_PAUSE);
      List<Callable<?>> racers =
          new ArrayList<>(
              List.of(
                  () -> send("a"),
                  () -> send("b"),
                  () -> history.log("interrupt", "", talk::interrupt),
                  () -> watch(current)));
      if (!real) {
        racers.add(() -> complete(current, toWork));
      }
      Collections.shuffle(racers, random);
      together(racers, random);
      settle();
    }

    /// A message whose text is both the shell command and its entry in the listing.
    private Object send(String which) throws Exception {
      String text = "echo %s%d".formatted(which, round);
      return history.log("send", text, () -> talk.send(text));
    }

    private Object watch(TurnIds turn) throws Exception {
      poll(turn);
      history.log("list", "", () -> talk.client().get(talk.path() + "/messages?limit=100"));
      JsonNode plans = talk.client().get(talk.path()).expect(200).json().path("plan_artifact_ids");
      for (JsonNode plan : plans) {
        String path = talk.path() + "/artifacts/" + plan.asText();
        history.log("artifact", plan.asText(), () -> talk.client().get(path));
      }
      return poll(turn);
    }

    private ApiResponse poll(TurnIds turn) throws Exception {
      return history.log("poll", turn.thread(), () -> talk.poll(turn));
    }

    /// Plays a runner, which stops where it finds the turn lost.
    private Object complete(TurnIds turn, long toWork) throws Exception {
      StubRunner runner = talk.runner(turn);
      if (!runner.begin().equals("run") || runner.claim(0).status() != 200) {
        return turn;
      }
      String text = "progress of " + turn.thread();
      history.log("say", text, () -> runner.say(0, text));
      List<Map<String, Object>> plan =
          round % 4 == 0 ? runner.plan("/workspace/PLAN.md") : List.of();
      LockSupport.parkNanos(toWork);
      String reply = "reply of " + turn.thread();
      history.log("result", turn.thread(), () -> runner.result(reply, plan));
      runner.release().expect(200);
      return turn;
    }

    /// Waits for the end of the last turn, so that the next race begins with a new one, and the
    /// lists that are read one after the other at the end no longer change.
    private void settle() throws Exception {
      TurnIds last = current();
      if (!real && last(last).equals("queued")) {
        complete(last, 0);
      }
      await("an end of " + last, TIMEOUT, Duration.ofMillis(300))
          .until(() -> last(last), status -> !List.of("queued", "running").contains(status));
    }

    private String last(TurnIds turn) throws Exception {
      return poll(turn).json().path("thread").path("status").asText();
    }

    private TurnIds current() throws Exception {
      return talk.turn(talk.client().get(talk.path()).expect(200).text("/thread_id"));
    }
  }

  /// Runs the racers at once, each after a pause of its own.
  static void together(List<Callable<?>> racers, Random random) throws Exception {
    CyclicBarrier start = new CyclicBarrier(racers.size());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (Callable<?> racer : racers) {
        long pause = random.nextLong(LONGEST_PAUSE);
        running.add(
            threads.submit(() -> {
              start.await();
              LockSupport.parkNanos(pause);
              return racer.call();
            }));
      }
      for (Future<?> done : running) {
        done.get();
      }
    }
  }
}
