package agentsessions.aws;

import agentsessions.jobs.sweep.FailedStarts;
import agentsessions.jobs.sweep.OverdueTurns;
import agentsessions.jobs.sweep.SessionPurge;
import agentsessions.jobs.sweep.UnsentWebhooks;
import agentsessions.protocol.WorkAnswers;
import agentsessions.session.Acceptance;
import agentsessions.session.Engine;
import agentsessions.session.NewSession;
import agentsessions.session.Turn;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.store.artifact.Artifacts;
import agentsessions.store.event.SessionEvents;
import agentsessions.store.export.Exports;
import agentsessions.store.message.History;
import agentsessions.store.message.NumberedPages;
import agentsessions.store.request.ClosingQuestions;
import agentsessions.store.request.Requests;
import agentsessions.store.session.SessionList;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.StoredInputs;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.store.session.Turns;
import agentsessions.store.usage.SpendingLimitStore;
import agentsessions.store.usage.UsageLedger;
import agentsessions.store.webhook.Announcer;
import agentsessions.store.webhook.Outbox;
import agentsessions.store.webhook.WebhookLeases;
import agentsessions.store.webhook.WebhookSecrets;
import agentsessions.store.webhook.Webhooks;
import agentsessions.store.workspace.Secrets;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.turn.ClaimState;
import agentsessions.turn.Claims;
import agentsessions.turn.CommitLog;
import agentsessions.turn.Dispatches;
import agentsessions.turn.Endings;
import agentsessions.turn.Handover;
import agentsessions.turn.HeldTurns;
import agentsessions.turn.Parking;
import agentsessions.turn.Resumptions;
import agentsessions.turn.RunnerAddress;
import agentsessions.turn.Sandboxes;
import agentsessions.turn.Standby;
import agentsessions.turn.StartGrace;
import agentsessions.turn.TaskStops;
import agentsessions.turn.TurnEvents;
import agentsessions.turn.TurnInputs;
import agentsessions.turn.TurnQueue;
import agentsessions.turn.TurnSteps;
import agentsessions.turn.budget.BudgetWarnings;
import agentsessions.turn.budget.SpendingCheck;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.Offers;
import agentsessions.turn.intake.Admission;
import agentsessions.turn.intake.Decisions;
import agentsessions.turn.intake.IdempotencyRecords;
import agentsessions.turn.intake.Intake;
import agentsessions.turn.intake.KeptUploads;
import agentsessions.turn.intake.PlanSequels;
import agentsessions.turn.intake.PullRequestIntake;
import agentsessions.turn.intake.PushSequels;
import io.micronaut.context.BeanProvider;
import io.micronaut.json.JsonMapper;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sfn.SfnClient;

/// The whole `aws` room on clients of a test's choosing, put together as Micronaut does it, with
/// the defaults of a deployment. What is signed is good for nothing.
public record InMemoryAws(
    Sessions sessions,
    SessionList list,
    Intake intake,
    Turns turns,
    Dispatches dispatches,
    Claims claims,
    TurnEvents events,
    Endings endings,
    History history,
    NumberedPages pages,
    Artifacts artifacts,
    SessionPurge purge,
    Executions executions,
    Sandboxes sandboxes,
    Bucket bucket,
    ChangeSignal signal,
    SessionEvents sessionEvents,
    Secrets secrets,
    CommitLog commits,
    TaskCallbacks tasks,
    TurnInputs inputs,
    UnsentWebhooks unsent,
    UsageLedger ledger,
    SpendingLimitStore spendingLimitStore,
    SpendingCheck spending,
    BudgetWarnings warnings,
    Standby standby,
    Handover handover,
    TaskStops stops,
    FailedStarts failedStarts,
    TurnQueue queue,
    Requests requests,
    HeldTurns heldTurns,
    Parking parking,
    Decisions decisions) {
  public static final String TABLE = "sessions";
  public static final int LEASE_SECONDS = 45;
  public static final int START_GRACE_SECONDS = 30;
  public static final int MOST_LIVE_TURNS = 100;
  public static final int QUEUE_SECONDS = 21_600;

  /// The seconds for which the cache of webhooks remembers: it is read once.
  private static final int NEVER_AGAIN = Integer.MAX_VALUE;

  private static final StartGrace START_GRACE = new StartGrace(START_GRACE_SECONDS);

  private static final JsonMapper JSON = JsonMapper.createDefault();

  /// Good for nothing, but its path says which object it is for.
  private static final S3Presigner LINKS =
      S3Presigner.builder()
          .region(Region.US_EAST_1)
          .credentialsProvider(
              StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")))
          .build();

  /// Exports in a table that others write too.
  public static Exports exports(DynamoDbClient dynamoDb, SfnClient sfn, Clock clock) {
    ExportRuns runs = new ExportRuns(sfn, JSON, "arn:aws:states:local:0:stateMachine:export");
    return new Exports(new Table(dynamoDb, TABLE, new ChangeSignal(true)), () -> runs, clock);
  }

  /// The tasks of executions in a table of their own.
  public static TaskCallbacks tasks(DynamoDbClient dynamoDb, SfnClient sfn) {
    return new TaskCallbacks(
        new Table(dynamoDb, TABLE, new ChangeSignal(true)), new TaskAnswers(sfn));
  }

  /// The intake of pull requests into a table that others write too.
  public static PullRequestIntake pullRequests(DynamoDbClient dynamoDb, Clock clock) {
    Table table = new Table(dynamoDb, TABLE, new ChangeSignal(true));
    return new PullRequestIntake(table, new IdempotencyRecords(table, clock), clock, START_GRACE);
  }

  public static UploadLinks uploadLinks() {
    return new UploadLinks(() -> LINKS, "bucket");
  }

  public static Bucket bucket(S3Client s3) {
    return new Bucket(s3, () -> LINKS, () -> LINKS, "bucket");
  }

  public static LargeObjects objects(S3Client s3) {
    return new LargeObjects(s3, bucket(s3), "bucket");
  }

  /// On a table and a bucket of its own, without tasks of an engine.
  public static InMemoryAws of(Clock clock) {
    return of(new InMemoryTable(TABLE), new InMemoryBucket(), new NoMachine(), clock);
  }

  /// Without tasks of an engine: the record of stops is in another, empty table.
  public static InMemoryAws of(DynamoDbClient dynamoDb, S3Client s3, SfnClient sfn, Clock clock) {
    return of(dynamoDb, s3, sfn, tasks(dynamoDb, sfn), clock);
  }

  /// Without them, and with the tasks of executions elsewhere.
  public static InMemoryAws of(
      DynamoDbClient dynamoDb, S3Client s3, SfnClient sfn, TaskCallbacks executions, Clock clock) {
    return of(dynamoDb, s3, sfn, executions, "objects", clock);
  }

  /// With sandboxes that are kept as `objects`, or on one `machine`.
  public static InMemoryAws of(
      DynamoDbClient dynamoDb,
      S3Client s3,
      SfnClient sfn,
      TaskCallbacks executions,
      String kept,
      Clock clock) {
    return of(dynamoDb, s3, sfn, executions, noStops(clock), InMemoryAws::none, kept, clock);
  }

  /// With such tasks.
  public static InMemoryAws of(
      DynamoDbClient dynamoDb,
      S3Client s3,
      SfnClient sfn,
      Supplier<RunnerTasks> runners,
      Clock clock) {
    Table table = new Table(dynamoDb, TABLE, new ChangeSignal(true));
    TaskCallbacks tasks = new TaskCallbacks(table, new TaskAnswers(sfn));
    TaskStops stops = new TaskStops(table, tasks, runners::get, clock);
    return of(dynamoDb, s3, sfn, tasks, stops, runners, "objects", clock);
  }

  private static TaskStops noStops(Clock clock) {
    Table empty = new Table(new InMemoryTable(TABLE), TABLE, new ChangeSignal(true));
    TaskCallbacks tasks = new TaskCallbacks(empty, new TaskAnswers(new RecordedTaskCalls()));
    return new TaskStops(empty, tasks, InMemoryAws::none, clock);
  }

  private static RunnerTasks none() {
    throw new AssertionError("there are no tasks of an engine");
  }

  private static InMemoryAws of(
      DynamoDbClient dynamoDb,
      S3Client s3,
      SfnClient sfn,
      TaskCallbacks tasks,
      TaskStops stops,
      Supplier<RunnerTasks> runners,
      String kept,
      Clock clock) {
    ChangeSignal signal = new ChangeSignal(true);
    Table table = new Table(dynamoDb, TABLE, signal);
    Bucket bucket = bucket(s3);
    Sessions sessions = new Sessions(table, clock);
    Turns turns = new Turns(table, clock);
    ParameterStore parameters = new ParameterStore(new InMemoryParameters(), "/stack");
    StoredInputs storedInputs = new StoredInputs(table, new SecretCipher(parameters));
    Secrets secrets = new Secrets(table, parameters, clock);
    CommitLog commits = new CommitLog(table, clock);
    History history = new History(table, bucket);
    Artifacts artifacts = new Artifacts(table);
    UsageLedger ledger = new UsageLedger(table);
    SpendingLimitStore spendingLimitStore = new SpendingLimitStore(table);
    SpendingCheck spending = new SpendingCheck(spendingLimitStore, ledger, sessions, clock);
    Requests requests = new Requests(table);
    Table empty = new Table(new InMemoryTable(TABLE), TABLE, signal);
    Handover handover = new Handover(table, tasks, clock, LEASE_SECONDS);
    Sandboxes sandboxes = new Sandboxes(table, bucket, stops, handover, clock, kept, 4096);
    Dispatches dispatches = new Dispatches(table, clock, START_GRACE, QUEUE_SECONDS);
    Announcer deaf = announcer(empty, clock, NEVER_AGAIN);
    Announcer announcer = announcer(table, clock, NEVER_AGAIN);
    Executions executions = new Executions(sfn, JSON, "arn:aws:states:local:0:stateMachine:turn");
    TurnQueue queue =
        new TurnQueue(
            table, announcer, sessions, turns, () -> executions, clock, START_GRACE, "turn");
    Admission admission = new Admission(table, announcer, spending, requests, MOST_LIVE_TURNS);
    PlanSequels planTurns =
        new PlanSequels(
            admission,
            spendingLimitStore,
            artifacts,
            () -> bucket,
            () -> storedInputs,
            START_GRACE);
    Resumptions resumptions = new Resumptions(() -> executions, START_GRACE);
    HeldTurns heldTurns = new HeldTurns(table, announcer, requests, resumptions, clock);
    Decisions decisions =
        new Decisions(
            table,
            announcer,
            heldTurns,
            planTurns,
            new PushSequels(START_GRACE),
            () -> executions,
            clock);
    return new InMemoryAws(
        sessions,
        new SessionList(table),
        new Intake(
            table,
            turns,
            announcer,
            admission,
            new IdempotencyRecords(table, clock),
            queue,
            () -> new KeptUploads(bucket),
            () -> storedInputs,
            () -> new Webhooks(table, new WebhookSecrets(parameters), announcer, clock),
            clock,
            START_GRACE),
        turns,
        dispatches,
        new Claims(table, announcer, turns, bucket, sandboxes, clock, LEASE_SECONDS),
        new TurnEvents(table, turns, clock),
        new Endings(
            announcer,
            sessions,
            turns,
            bucket,
            handover,
            queue,
            new ClosingQuestions(table, () -> storedInputs),
            clock),
        history,
        new NumberedPages(table),
        artifacts,
        new SessionPurge(table, bucket, stops, clock, "objects"),
        executions,
        sandboxes,
        bucket,
        signal,
        new SessionEvents(table, history, artifacts),
        secrets,
        commits,
        tasks,
        new TurnInputs(table, storedInputs, secrets, commits),
        new UnsentWebhooks(
            new Outbox(empty, clock),
            () -> new WebhookLeases(empty, () -> new WebhookSecrets(parameters), clock),
            deaf),
        ledger,
        spendingLimitStore,
        spending,
        new BudgetWarnings(deaf, sessions, spending, clock),
        new Standby(table, turns, dispatches, tasks, clock, 300, 0),
        handover,
        stops,
        new FailedStarts(tasks, runners::get, new RunnerAddress("")),
        queue,
        requests,
        heldTurns,
        new Parking(table, sandboxes, resumptions, clock),
        decisions);
  }

  /// An announcer that nobody hears: no sender may be started.
  ///
  /// @param seconds for which it is remembered whether a workspace has webhooks
  public static Announcer announcer(Table table, Clock clock, int seconds) {
    BeanProvider<EventCalls> none =
        () -> {
          throw new AssertionError("nobody is to hear");
        };
    return new Announcer(table, new Outbox(table, clock), none, clock, "webhooks", seconds);
  }

  /// The steps of turns whose agent runs on an engine.
  public TurnSteps steps(
      Engine engine, RunnerFunction function, BeanProvider<RunnerTasks> runners, Clock clock) {
    return steps(
        new AgentCatalogue(List.of("shell"), null, List.of(), Offers.on(engine)),
        function,
        runners,
        new RunnerAddress(""),
        clock);
  }

  public TurnSteps steps(
      AgentCatalogue catalogue,
      RunnerFunction function,
      BeanProvider<RunnerTasks> runners,
      RunnerAddress address,
      Clock clock) {
    return new TurnSteps(
        turns,
        dispatches,
        endings,
        catalogue,
        tasks,
        standby,
        handover,
        function,
        runners,
        address,
        clock);
  }

  public OverdueTurns overdue(Clock clock) {
    return new OverdueTurns(
        turns, dispatches, endings, executions, failedStarts, queue, decisions, clock, 45);
  }

  /// What a claimed turn is told; no agent here has a model.
  public WorkAnswers workAnswers() {
    return new WorkAnswers(
        () -> inputs,
        endings,
        sandboxes,
        bucket,
        spending,
        () -> {
          throw new AssertionError("no agent here has a model");
        },
        false);
  }

  /// The turn of a new session in the workspace `w`.
  public Turn accepted() {
    return accepted(NewSession.of("shell", "hi"));
  }

  public Turn accepted(NewSession newSession) {
    return accepted(intake.create(new Workspace("w"), newSession, "http://service", null));
  }

  /// The turn of a message that cannot but be accepted.
  public static Turn accepted(Acceptance acceptance) {
    return ((Acceptance.Accepted) acceptance).turn();
  }

  /// Such a turn, claimed by a runner.
  public Turn claimed() {
    return claimed(accepted());
  }

  public Turn claimed(Turn queued) {
    dispatches.recordLaunch(queued, "ticket", Duration.ofSeconds(LEASE_SECONDS));
    claim(queued, "ticket", "claim", 1000, "token", Duration.ofHours(1));
    return turns.load(queued.key()).orElseThrow();
  }

  /// A claim without its session, its lock and its message, which are then read when they are
  /// needed.
  public Claims.Outcome claim(
      Turn turn, String ticketHash, String claimId, long fence, String tokenHash, Duration limit) {
    ClaimState state =
        new ClaimState(
            turn, Optional.empty(), Optional.empty(), Optional.empty(), SpendingLimits.ANY);
    return claims.claim(state, new Claims.Request(ticketHash, claimId, fence, tokenHash, limit));
  }
}
