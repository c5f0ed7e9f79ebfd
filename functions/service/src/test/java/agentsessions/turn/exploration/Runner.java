package agentsessions.turn.exploration;

import agentsessions.rule.WaitingPush;
import agentsessions.session.Refusal;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Sha256;
import agentsessions.turn.RunnerCredential;
import agentsessions.wire.Instruction;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult;
import agentsessions.wire.UsageReport;
import agentsessions.wire.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// A runner as its protocol has it: it claims, tells two events, renews its lease, reports a plan
/// and a reply, saves its sandbox, lets go; in a task it then waits for the session's next turn.
/// Each request may be lost and sent again, or be under way twice.
final class Runner {
  /// The number of model requests that a turn ends with.
  private static final long LAST = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int IDLE_SECONDS = 300;
  private static final String COMMIT = "c".repeat(40);
  private static final String TREE = "7e".repeat(20);
  private static final int HOLD_SECONDS = 60;
  private static final RunnerMessages.DecisionRequest CALL =
      new RunnerMessages.DecisionRequest(
          "call", "Bash", "execute", "Run it", "{}", "f".repeat(64), null, true);

  private final World world;
  private String ticket;
  private int attempt;
  private int claims;
  private Scheduler.@Nullable Actor actor;
  private @Nullable Instruction instruction;
  private boolean finished;
  private boolean parked;
  private boolean failed;

  Runner(World world, String ticket, int attempt) {
    this.world = world;
    this.ticket = ticket;
    this.attempt = attempt;
  }

  void is(Scheduler.Actor me) {
    actor = me;
  }

  /// Whether it is done with the turn that it was started for.
  boolean finished() {
    return finished;
  }

  boolean failed() {
    return failed;
  }

  void run() {
    Optional<RunnerCredential> waiting = serve();
    finished = !failed;
    while (waiting.isPresent() && awaits(waiting.get())) {
      waiting = serve();
    }
  }

  /// Runs a turn.
  ///
  /// @return the credential for the next turn, if there is to be one
  private Optional<RunnerCredential> serve() {
    Optional<Instruction> claimed = claim();
    Optional<RunnerCredential> waiting = Optional.empty();
    if (claimed.isPresent()) {
      instruction = claimed.get();
      String token = "Bearer " + claimed.get().token();
      if (isJob(claimed.get())) {
        return push(token);
      }
      boolean live =
          call("events", () -> world.runnerApi.append(token, events())).isPresent()
              && call("lease", () -> world.runnerApi.renew(token, renewal()))
                  .filter(RunnerMessages.Live::live)
                  .isPresent()
              && (!world.asks() || isDecided(claimed.get()) || isAnswered(token));
      if (parked) {
        return waiting;
      }
      String before = before();
      boolean released = false;
      if (live) {
        world.work();
        released = report(token);
        boolean saved = !world.stays() && save(token, before);
        waiting = saved && world.hasTasks() ? standby(token) : waiting;
      }
      if (!released) {
        release(token, !live);
      }
    }
    return waiting;
  }

  /// Runs a job, which has no agent, no events and nothing to save.
  ///
  /// @return the credential for the next turn, if there is to be one
  private Optional<RunnerCredential> push(String token) {
    boolean live =
        call("lease", () -> world.runnerApi.renew(token, renewal()))
            .filter(RunnerMessages.Live::live)
            .isPresent();
    if (live && !waits()) {
      world.invariants.jobs.pushes(thread());
    }
    boolean released = live && report(token);
    Optional<RunnerCredential> waiting =
        live && world.hasTasks() ? standby(token) : Optional.empty();
    if (!released) {
      release(token, true);
    }
    return waiting;
  }

  private void release(String token, boolean untouched) {
    world.invariants.left(Objects.requireNonNull(actor));
    call(
        "release",
        () -> world.sandboxApi.release(token, new RunnerMessages.Release(untouched, used(LAST))));
  }

  private static boolean isJob(Instruction mine) {
    return mine.work() != null && Boolean.TRUE.equals(mine.work().job());
  }

  /// Whether the push of its repository waits for a person.
  private boolean waits() {
    Work work = Objects.requireNonNull(Objects.requireNonNull(instruction).work());
    Work.Push push = work.repositories().getFirst().push();
    return push != null && work.permissions() != null && push.allowed() == null;
  }

  /// Whether its turn was parked for a decision, which is there.
  private boolean isDecided(Instruction mine) {
    boolean is = mine.work() != null && mine.work().parked() != null;
    Invariants.require(
        turn().map(turn -> turn.containsKey("parked")).orElse(is) == is, // or purged already
        "a runner is told what is not so of parking");
    return is;
  }

  /// Asks for a decision, waits for it, and parks the turn or has the request expire where none
  /// comes in time; false where its turn is over, or parked.
  private boolean isAnswered(String token) {
    Optional<RunnerMessages.DecisionState> asked =
        call("ask", () -> world.requestsApi.ask(token, CALL));
    if (asked.isEmpty()) {
      return false;
    }
    String id = asked.get().id();
    if (world.parks()) {
      parked = isParked(token, id);
      if (parked) {
        return false;
      }
    }
    Instant until = world.clock.instant().plusSeconds(HOLD_SECONDS);
    world.scheduler.block(
        () -> !isPending(id) || until.isBefore(world.clock.instant()), () -> true);
    Optional<RunnerMessages.DecisionState> answer =
        isPending(id)
            ? call("expiry", () -> world.requestsApi.expire(token, id))
            : call("state", () -> world.requestsApi.state(token, id, null));
    answer.ifPresent(state -> world.invariants.told(id, state));
    return answer.isPresent();
  }

  /// Stops the agent, saves the sandbox as far as it comes, and parks the turn.
  private boolean isParked(String token, String id) {
    String before = before();
    boolean saved = !world.stays() && save(token, before);
    world.invariants.left(Objects.requireNonNull(actor));
    RunnerMessages.Parking request = new RunnerMessages.Parking(id, false, used(2));
    Optional<RunnerMessages.Parked> answer =
        call("parking", () -> world.parkingApi.park(token, request));
    boolean is = answer.filter(RunnerMessages.Parked::parked).isPresent();
    if (is && saved) {
      Instruction mine = Objects.requireNonNull(instruction);
      world.invariants.parked(mine.threadId(), mine.fence());
    }
    return is;
  }

  private boolean isPending(String id) {
    return item("D#" + id)
        .filter(request -> Invariants.text(request, "status").equals("PENDING"))
        .isPresent();
  }

  private Optional<RunnerCredential> standby(String token) {
    RunnerMessages.Standby request = new RunnerMessages.Standby(IDLE_SECONDS);
    return call("standby", () -> world.standbyApi.begin(token, request))
        .flatMap(answer -> RunnerCredential.parse("Bearer " + answer.token()));
  }

  private boolean awaits(RunnerCredential waiting) {
    world.waits(true);
    boolean heard = hears(waiting);
    world.waits(false);
    return heard;
  }

  /// Waits for the session's next turn; true with a ticket for it. Only such questions are asked as
  /// may bring something: one for each offer.
  private boolean hears(RunnerCredential waiting) {
    Instant until = world.clock.instant().plusSeconds(IDLE_SECONDS);
    String asked = "";
    while (true) {
      String seen = asked;
      world.scheduler.block(
          () ->
              until.isBefore(world.clock.instant())
                  || !List.of("", seen).contains(world.offered(waiting)),
          () -> false);
      if (until.isBefore(world.clock.instant())) {
        return false;
      }
      asked = world.offered(waiting);
      Optional<RunnerMessages.Next> next =
          call("next", () -> world.standbyApi.next("Bearer " + waiting.text()));
      if (next.map(RunnerMessages.Next::ticket).isPresent()) {
        ticket = Objects.requireNonNull(next.get().ticket());
        attempt = Objects.requireNonNull(next.get().attempt());
        return true;
      }
      if (next.isEmpty()) {
        return false;
      }
    }
  }

  private static RunnerMessages.Renewal renewal() {
    return new RunnerMessages.Renewal(used(1));
  }

  private static UsageReport used(long requests) {
    return new UsageReport(requests, List.of(), true, null, null);
  }

  private Optional<Instruction> claim() {
    RunnerMessages.Claim request =
        new RunnerMessages.Claim(
            attempt, "claim %d of %s".formatted(++claims, Objects.requireNonNull(actor).name));
    Instant begun = world.clock.instant();
    while (true) {
      try {
        return call("claim", () -> world.runnerApi.claim("Bearer " + ticket, request));
      } catch (SandboxBusy busy) {
        if (begun.plus(PATIENCE).isBefore(world.clock.instant())) {
          failed = true;
          return Optional.empty();
        }
        long seen = world.version();
        world.scheduler.block(() -> world.version() != seen, () -> false);
      }
    }
  }

  /// The first contents of the sandbox: a word for each claim that made something in it.
  private String before() {
    Instruction mine = Objects.requireNonNull(instruction);
    String url = mine.snapshotUrl();
    String before =
        url == null ? "" : kept(url.substring(url.indexOf("sandboxes/"), url.indexOf('?')));
    world.invariants.begins(mine.threadId(), before, mine.sandboxLost());
    return before;
  }

  private String kept(String key) {
    String kept = world.bucket.contents().get(key);
    Invariants.require(kept != null, "a sandbox begins from what is not there");
    return Objects.requireNonNull(kept);
  }

  /// Saves the sandbox as far as it comes; true where all has arrived.
  private boolean save(String token, String before) {
    Instruction mine = Objects.requireNonNull(instruction);
    String made = Invariants.made(mine.threadId(), mine.fence());
    world.invariants.makes(made);
    if (world.scheduler.perhaps("cannot save")
        || call("snapshot", () -> world.sandboxApi.open(token)).isEmpty()) {
      return false;
    }
    String key = "sandboxes/%s/%s/%d".formatted(mine.sessionId(), mine.threadId(), mine.fence());
    world
        .bucket
        .uploads()
        .forEach((id, parts) -> {
          if (id.endsWith(key)) {
            parts.clear();
            parts.add(before + made);
          }
        });
    RunnerMessages.Parts parts = new RunnerMessages.Parts(List.of("tag"));
    return call("complete", () -> world.sandboxApi.complete(token, parts)).isPresent();
  }

  /// Reports the result; true where the sandbox was let go with it.
  private boolean report(String token) {
    TurnResult report = world.stays() ? result().releasing() : result();
    if (world.stays()) {
      world.invariants.left(Objects.requireNonNull(actor));
    }
    Optional<RunnerMessages.Ended> ended =
        call("result", () -> world.runnerApi.result(token, report));
    ended.ifPresent(_ ->
        Invariants.require(
            turn().isEmpty() || counts(), // or purged already
            "a runner was told that its result counts, but the reply is " + closing()));
    return ended.filter(RunnerMessages.Ended::released).isPresent();
  }

  /// The first has no copy: a copy under the same stamp would hide that another guard is missing.
  private static RunnerMessages.Events events() {
    return new RunnerMessages.Events(
        0,
        List.of(
            new RunnerMessages.Event("tool_call", "{}"),
            new RunnerMessages.Event("message", "on my way")));
  }

  private TurnResult result() {
    Instruction mine = Objects.requireNonNull(instruction);
    if (isJob(mine)) {
      return new TurnResult("completed", "", null, List.of(), repositories(""), used(LAST), null);
    }
    String key =
        "artifacts/%s/%s/%d-plan".formatted(mine.sessionId(), mine.threadId(), mine.fence());
    world.bucket.contents().put(key, "the plan");
    TurnResult.Artifact plan =
        new TurnResult.Artifact(
            key, "/workspace/PLAN.md", "plan", Sha256.hex("the plan"), "text/markdown", null);
    return new TurnResult(
        "completed",
        reply(thread()),
        null,
        List.of(plan),
        mine.work() == null ? null : repositories(key),
        used(LAST),
        null);
  }

  /// What has become of its repository, if it has one: a turn changes it, a job pushes it, unless a
  /// person has to be asked.
  private List<RepositoryReport> repositories(String patch) {
    Instruction mine = Objects.requireNonNull(instruction);
    if (Objects.requireNonNull(mine.work()).repositories().isEmpty()) {
      return List.of();
    }
    boolean pushes = isJob(mine) && !waits();
    return List.of(
        new RepositoryReport(
            1,
            COMMIT,
            COMMIT,
            "main",
            1,
            1,
            0,
            patch,
            null,
            TREE,
            pushes ? new RepositoryReport.Pushed("work", COMMIT) : null,
            pushes ? "http://host.example/" + thread() : null,
            waits() ? new RepositoryReport.Fault(WaitingPush.CODE, "") : null));
  }

  private String reply(String thread) {
    return "reply of %s as %d".formatted(thread, Objects.requireNonNull(instruction).fence());
  }

  private String thread() {
    return Objects.requireNonNull(instruction).threadId();
  }

  private <T> Optional<T> call(String what, Supplier<T> request) {
    if (world.scheduler.perhaps("sends " + what + " twice")) {
      Instruction mine = instruction;
      world.twice(what, () -> unheard(mine, request));
    }
    return answer(instruction, request);
  }

  private <T> void unheard(@Nullable Instruction mine, Supplier<T> request) {
    try {
      answer(mine, request);
    } catch (SandboxBusy busy) {
      world.scheduler.note("is told in vain to come back");
    }
  }

  /// @param mine what was to be done when it was asked
  private <T> Optional<T> answer(@Nullable Instruction mine, Supplier<T> request) {
    while (true) {
      try {
        return Optional.of(request.get());
      } catch (ScheduledTable.AnswerLost again) {
        world.scheduler.note("asks again");
      } catch (Refusal refusal) {
        if (refusal.code() == Refusal.Code.SANDBOX_BUSY) {
          throw new SandboxBusy();
        }
        Invariants.require(refusal.code() == Refusal.Code.NOT_LIVE, refusal.toString());
        Invariants.require(!holds(mine), "a runner was refused its own live turn");
        return Optional.empty();
      }
    }
  }

  /// Whether the table says that this runner's turn is live and its own.
  private boolean holds(@Nullable Instruction mine) {
    return mine != null
        && turn(mine)
            .filter(turn -> Invariants.status(turn) == TurnStatus.RUNNING)
            .filter(turn -> Invariants.number(turn, "fence") == mine.fence())
            .isPresent();
  }

  /// Whether its result has ended its turn. A job leaves no message.
  private boolean counts() {
    Instruction mine = Objects.requireNonNull(instruction);
    return isJob(mine)
        ? turn(mine)
            .filter(job -> Invariants.status(job) == TurnStatus.COMPLETED)
            .filter(job -> Invariants.number(job, "fence") == mine.fence())
            .isPresent()
        : reply(thread()).equals(closing());
  }

  private String closing() {
    return turn()
        .flatMap(turn -> item("F#%016d".formatted(Invariants.number(turn, "last_ts"))))
        .map(message -> Invariants.text(message, "text"))
        .orElse("missing");
  }

  private Optional<Map<String, AttributeValue>> turn() {
    return turn(Objects.requireNonNull(instruction));
  }

  private Optional<Map<String, AttributeValue>> turn(Instruction any) {
    return item((isJob(any) ? "J#" : "T#") + any.threadId());
  }

  private Optional<Map<String, AttributeValue>> item(String sk) {
    return world.table.contents().entrySet().stream()
        .filter(entry -> entry.getKey().pk().contains("#S#") && entry.getKey().sk().equals(sk))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static final class SandboxBusy extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
