package agentsessions.turn.exploration;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.Launches;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.aws.StartedTasks;
import agentsessions.jobs.sweep.Sweep;
import agentsessions.protocol.ParkingController;
import agentsessions.protocol.RunnerController;
import agentsessions.protocol.RunnerRequestsController;
import agentsessions.protocol.SandboxController;
import agentsessions.protocol.StandbyController;
import agentsessions.protocol.TurnReports;
import agentsessions.protocol.UsageReports;
import agentsessions.session.Engine;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.table.ChangeSignal;
import agentsessions.testing.SettableClock;
import agentsessions.turn.RunnerAddress;
import agentsessions.turn.RunnerCredential;
import agentsessions.turn.TurnSteps;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.Offers;
import agentsessions.turn.catalogue.PriceList;
import agentsessions.turn.intake.PullRequestIntake;
import io.micronaut.json.JsonMapper;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;
import software.amazon.awssdk.services.sfn.model.StopExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StopExecutionResponse;

/// The real transition code of the service over the in-memory table, and around it everything that
/// uses it: clients, executions, runners, the sweep, time. One world is one run.
final class World {
  /// The behaviour of executions: how often Step Functions tries a runner again, whether its `Fail`
  /// step is ever reached, the engine of their runners, and whether sandboxes stay on one machine.
  record Machine(int retries, boolean fails, Engine engine, boolean stays) {}

  static final Workspace WORKSPACE = new Workspace("w");

  /// Longer than a lease, the time for a start, and the time for a claim.
  static final Duration JUMP = Duration.ofSeconds(2 * InMemoryAws.LEASE_SECONDS + 1);

  private static final Duration LONG_JUMP = Duration.ofMinutes(20);
  private static final Duration DEADLINE = Duration.ofHours(2);
  private static final Duration EXPIRY = Duration.ofDays(8);
  private static final int SHORT_ROUNDS = 3;
  private static final int SWEEP_SECONDS = 45;
  private static final int MOST_ROUNDS = 12;
  private static final UsageReports USAGES = new UsageReports(new PriceList(null));
  private static final Map<Engine, AgentCatalogue> CATALOGUES =
      Arrays.stream(Engine.values())
          .collect(Collectors.toMap(Function.identity(), World::catalogue));

  final SettableClock clock = new SettableClock();
  final InMemoryBucket bucket = new InMemoryBucket();
  final InMemoryTable table;
  final Scheduler scheduler;
  final Invariants invariants;
  final InMemoryAws aws;
  final TurnSteps steps;
  final RunnerController runnerApi;
  final SandboxController sandboxApi;
  final StandbyController standbyApi;
  final RunnerRequestsController requestsApi;
  final ParkingController parkingApi;
  final Clients clients;
  private final RecordedTaskCalls taskCalls = new RecordedTaskCalls();
  private final ScheduledTable scheduled;
  private final Sweep sweep;
  private final Machine machine;
  private final Set<String> started = new java.util.TreeSet<>();
  private final Map<Scheduler.Actor, Scheduler.Actor> owners = new HashMap<>();
  private final Set<Scheduler.Actor> waiting = new HashSet<>();
  private final boolean swept;
  final PullRequestIntake pullRequests;
  private Duration jump = JUMP;
  private boolean slow;
  private boolean asking;
  private boolean parking;

  World(Scheduler.Decisions decisions, ScheduledTable.Sabotage sabotage, Machine machine) {
    this.machine = machine;
    swept = sabotage.sweeps();
    table = new InMemoryTable(InMemoryAws.TABLE, sabotage.ignored());
    Fingerprint fingerprint = new Fingerprint(() -> author().name);
    scheduler =
        new Scheduler(
            decisions,
            () -> pass(jump),
            () -> Scheduler.mix(fingerprint.sum() + around(fingerprint), clock.millis()));
    invariants = new Invariants(table, clock, machine.stays(), this::owner);
    scheduled = new ScheduledTable(table, scheduler, fingerprint, invariants, sabotage, this::look);
    // What is told to executions decides nothing but when a turn is started, so that no other order
    // of it is explored.
    TaskCallbacks tasks = InMemoryAws.tasks(new InMemoryTable(InMemoryAws.TABLE), taskCalls);
    aws =
        InMemoryAws.of(
            scheduled,
            new ScheduledBucket(bucket, scheduler),
            new Starts(),
            tasks,
            machine.stays() ? "machine" : "objects",
            clock);
    AgentCatalogue catalogue = Objects.requireNonNull(CATALOGUES.get(machine.engine()));
    standbyApi = new StandbyController(aws.turns(), aws.standby(), catalogue);
    steps =
        aws.steps(
            catalogue,
            new Launches().function(),
            () -> new StartedTasks().runners(),
            new RunnerAddress(""),
            clock);
    sweep =
        new Sweep(
            aws.turns(),
            aws.overdue(clock),
            aws.purge(),
            aws.sandboxes(),
            aws.stops(),
            aws.unsent(),
            SWEEP_SECONDS,
            1);
    sandboxApi = new SandboxController(aws.turns(), aws.sandboxes(), USAGES, aws.warnings(), tasks);
    runnerApi =
        new RunnerController(
            aws.turns(),
            aws.claims(),
            aws.events(),
            aws.endings(),
            aws.sandboxes(),
            tasks,
            aws.stops(),
            aws.bucket(),
            new TurnReports(aws.bucket(), clock),
            aws.workAnswers(),
            USAGES,
            aws.warnings(),
            catalogue,
            new ChangeSignal(false),
            500,
            InMemoryAws.LEASE_SECONDS);
    requestsApi =
        new RunnerRequestsController(
            aws.turns(),
            aws.heldTurns(),
            aws.requests(),
            new ChangeSignal(false),
            JsonMapper.createDefault());
    parkingApi = new ParkingController(aws.turns(), aws.parking(), USAGES, tasks);
    pullRequests = InMemoryAws.pullRequests(scheduled, clock);
    clients = new Clients(this);
  }

  private static AgentCatalogue catalogue(Engine engine) {
    return new AgentCatalogue(List.of("shell"), null, List.of(), Offers.on(engine));
  }

  /// A session with one turn whose execution is there but has not done anything.
  void begin() {
    clients.create("hello", null);
    scheduler.settleFirst();
  }

  /// The same where the session's turns only plan.
  void beginPlanning() {
    clients.createPlanning();
    scheduler.settleFirst();
  }

  /// The same where the session has a repository, which its turns change.
  void beginChanging() {
    clients.createChanging(false, false);
    scheduler.settleFirst();
  }

  /// The same where a person is asked about each push.
  ///
  /// @param pushes whether turns push, and not only pull requests
  void beginAsking(boolean pushes) {
    clients.createChanging(true, pushes);
    scheduler.settleFirst();
  }

  /// Time jumps so far at once, and not just past every lease.
  void jumpBy(Duration time) {
    jump = time;
  }

  /// As many passes of the sweep as are wanted; each can come when something is due.
  void sweeps(int passes) {
    for (int i = 0; i < passes; i++) {
      scheduler
          .add("sweep" + i, EnumSet.of(Scheduler.Fate.DIE), this::sweep)
          .when(() -> swept && table.due(clock.millis()) > 0);
    }
  }

  /// From here on nothing goes wrong: then every turn must end and nothing may be left to do.
  void end() {
    scheduler.settle();
    for (int round = 0; !quiet(); round++) {
      Invariants.require(round < MOST_ROUNDS, "a turn never ends");
      pass(jump(round));
      if (swept) {
        scheduler.add("sweep", EnumSet.noneOf(Scheduler.Fate.class), this::sweep);
      }
      scheduler.settle();
    }
    clients.check();
  }

  /// A turn that waits for a decision is over after its deadline; one that is parked, or a plan,
  /// may wait on.
  private Duration jump(int round) {
    return switch (round) {
      case SHORT_ROUNDS -> DEADLINE;
      case SHORT_ROUNDS + 1 -> isHeld() ? EXPIRY : LONG_JUMP;
      default -> round < SHORT_ROUNDS ? JUMP : LONG_JUMP;
    };
  }

  /// Agents work for so long that a runner does nothing until time passes.
  void slowAgents() {
    slow = true;
  }

  /// Agents ask for a decision.
  void askingAgents() {
    asking = true;
  }

  /// They do, and their runners wait for none.
  void parkingAgents() {
    asking = true;
    parking = true;
  }

  boolean parks() {
    return parking;
  }

  boolean asks() {
    return asking;
  }

  /// Whether a turn, or a session with its plan, waits for a decision.
  boolean isHeld() {
    return table.contents().entrySet().stream()
        .anyMatch(entry ->
            Step.part(entry.getKey()).equals("META")
                && (entry.getValue().containsKey("request")
                    || entry.getValue().containsKey("plan")));
  }

  /// Whether the task with this token is tried again, since the sandbox that it waits for is free.
  boolean isFreeFor(String token) {
    return taskCalls.calls().contains("agentsessions.SandboxFree " + token);
  }

  /// The offer for a task that waits with this credential; empty where there is none, `gone` where
  /// the task is not on record as waiting.
  String offered(RunnerCredential waiting) {
    return standby()
        .filter(item -> AttributeValue.fromS(waiting.hash()).equals(item.get("token_hash")))
        .map(item -> item.containsKey("offered") ? offer(item) : "")
        .findFirst()
        .orElse("gone");
  }

  private static String offer(Map<String, AttributeValue> item) {
    return "%s-%d-%d"
        .formatted(
            Invariants.text(item, "offered"),
            Invariants.number(item, "dispatch"),
            Invariants.number(item, "attempt"));
  }

  private Stream<Map<String, AttributeValue>> standby() {
    return table.contents().entrySet().stream()
        .filter(entry -> Step.part(entry.getKey()).equals("STANDBY"))
        .map(Map.Entry::getValue);
  }

  /// A launcher gives a task that waits the time to take what it is offered.
  private void look() {
    if (scheduler.current().name.startsWith(Execution.NAME)) {
      scheduler.block(
          () ->
              waiting.stream().allMatch(Scheduler.Actor::over)
                  || standby().allMatch(item -> item.containsKey("taken")),
          () -> true);
    }
  }

  /// The current actor waits for its session's next turn, or does not any more.
  void waits(boolean does) {
    boolean _ = does ? waiting.add(scheduler.current()) : waiting.remove(scheduler.current());
  }

  boolean hasTasks() {
    return machine.engine().hasTasks();
  }

  /// Whether the sandbox stays where it is, so that a result releases it.
  boolean stays() {
    return machine.stays();
  }

  void work() {
    if (slow) {
      long since = clock.millis();
      scheduler.block(() -> clock.millis() > since, () -> false);
    }
  }

  private void sweep() {
    sweep.run(Duration.ofSeconds(SWEEP_SECONDS));
  }

  /// Whether nothing will ever be due; artifacts, which are in the index to be found, never are.
  boolean quiet() {
    return table.due(Long.MAX_VALUE - 1) == 0;
  }

  long version() {
    return scheduled.version() + clock.millis();
  }

  /// The current actor, or the one it acts for.
  Scheduler.Actor owner() {
    Scheduler.Actor actor = scheduler.current();
    return owners.getOrDefault(actor, actor);
  }

  /// The same request a second time, under way at once with the first.
  void twice(String what, Runnable request) {
    Scheduler.Actor owner = owner();
    owners.put(
        scheduler.add(
            owner.name + "'s late " + what, EnumSet.noneOf(Scheduler.Fate.class), request),
        owner);
  }

  Scheduler.Actor runner(Runner runner, String name) {
    Scheduler.Actor actor =
        scheduler.add(name, EnumSet.of(Scheduler.Fate.DIE, Scheduler.Fate.LOST), runner::run);
    runner.is(actor);
    return actor;
  }

  /// The state beside the table, without random values.
  private long around(Fingerprint fingerprint) {
    return Stream.of(started, bucket.contents().entrySet(), bucket.uploads().entrySet())
        .flatMap(Set::stream)
        .mapToLong(thing -> Fingerprint.hash(fingerprint.named(thing.toString())))
        .sum();
  }

  private Scheduler.Actor author() {
    return scheduler.current();
  }

  private void pass(Duration time) {
    clock.pass(time);
    scheduler.note("-- " + time.toSeconds() + " s pass");
  }

  private void execute(String name) {
    TurnSteps.Dispatch dispatch =
        new TurnSteps.Dispatch(
            clients.sessionKey().turn(TurnId.parse(name.substring(0, 36)).orElseThrow()),
            Integer.parseInt(name.substring(37)));
    int turn = clients.number(dispatch.turn().id());
    Execution execution =
        new Execution(this, dispatch, "t%d.%d".formatted(turn, dispatch.number()), machine);
    scheduler.add(
        execution.name(), EnumSet.of(Scheduler.Fate.DIE, Scheduler.Fate.LOST), execution::run);
  }

  /// Step Functions: a name can be used once.
  private final class Starts implements SfnClient, AwsStandIn {
    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      if (scheduler.perhaps("the start is lost")) {
        return StartExecutionResponse.builder().build();
      }
      if (!started.add(request.name())) {
        throw ExecutionAlreadyExistsException.builder().message("exists").build();
      }
      execute(request.name());
      return StartExecutionResponse.builder().build();
    }

    @Override
    public StopExecutionResponse stopExecution(StopExecutionRequest request) {
      return StopExecutionResponse.builder().build();
    }
  }
}
