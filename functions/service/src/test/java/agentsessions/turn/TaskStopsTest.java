package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.aws.StartedTasks;
import agentsessions.aws.TableLayer;
import agentsessions.jobs.sweep.OverdueTurns;
import agentsessions.jobs.sweep.Sweep;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Turn;
import agentsessions.store.session.Turns;
import agentsessions.table.RetryDeadline;
import agentsessions.table.Unavailable;
import agentsessions.testing.SettableClock;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/// The tasks of an engine that are stopped, and how long that is tried.
class TaskStopsTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final String TASK = "task/of-the-turn";

  private final SettableClock clock = new SettableClock();
  private final StartedTasks ecs = new StartedTasks();
  private final LostTable table = new LostTable();
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), ecs::runners, clock);
  private final Turn turn = running();

  @BeforeEach
  void started() {
    aws.tasks().begun(turn.key(), 1, TASK);
    ecs.status().put(TASK, "RUNNING");
  }

  @Test
  void aTaskIsLeftAloneThatRunsItsTurn() {
    sweep();
    assertEquals(List.of(), ecs.stopped());
  }

  @Test
  void aTaskIsAskedToStopUntilItIsGone() {
    assertTrue(aws.endings().delete(turn.key().sessionKey()));
    sweep(); // wants it, since somebody holds the sandbox
    sweep();
    assertEquals(List.of(TASK), ecs.stopped());
    clock.pass(Duration.ofSeconds(31));
    sweep();
    assertEquals(List.of(TASK, TASK), ecs.stopped());
    ecs.status().put(TASK, "STOPPED");
    clock.pass(Duration.ofSeconds(31));
    sweep();
    clock.pass(Duration.ofSeconds(31));
    sweep();
    assertEquals(List.of(TASK, TASK), ecs.stopped());
  }

  @Test
  void soIsOneWhoseRunnerIsSilent() {
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
    sweep(); // ends the turn
    sweep(); // lets go of its sandbox, and wants the task to end
    sweep();
    assertEquals(List.of(TASK), ecs.stopped());
  }

  /// The turn that waits for the sandbox cannot be started again either, which costs time only.
  @Test
  void soIsOneThatIsOnRecordOnlyByTheWriteThatFreesItsSandbox() {
    FollowUp message = FollowUp.of("and then");
    Acceptance accepted =
        aws.intake().followUp(turn.key().sessionKey(), message, "http://service", null);
    Turn next = ((Acceptance.Accepted) accepted).turn();
    assertTrue(aws.handover().name(heldBefore(next), next));
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
    table.loseAfterNextTransaction();
    assertTrue(RetryDeadline.within(SHORT, () -> aws.sandboxes().reclaim(turn.key().sessionKey())));
    table.find();
    sweep();
    assertEquals(List.of(TASK), ecs.stopped());
  }

  @Test
  void oneThatKeepsAnEndedTurnsSandboxHasTwoMinutes() {
    assertTrue(aws.endings().cancel(turn.key().sessionKey(), Endings.Cancellation.ALL).isPresent());
    clock.pass(Duration.ofSeconds(119));
    aws.stops().wantLate(load());
    clock.pass(Duration.ofSeconds(2));
    assertEquals(List.of(), ecs.stopped());
    aws.stops().wantLate(load());
    sweep();
    assertEquals(List.of(TASK), ecs.stopped());
  }

  @Test
  void oneThatIsToStopTakesNoOtherTurn() {
    RunnerCredential token = new RunnerCredential(turn.key(), "secret");
    RunnerCredential waiting =
        aws.standby().begin(turn, token, Duration.ofMinutes(5)).orElseThrow();
    aws.stops().want(turn.key());
    assertEquals(new Standby.Answer.End(), aws.standby().ask(waiting));
  }

  /// Its runner renews its lease every few seconds, and each time is late.
  @Test
  void itsStopIsLoggedOnce() {
    assertTrue(aws.endings().cancel(turn.key().sessionKey(), Endings.Cancellation.ALL).isPresent());
    clock.pass(Duration.ofSeconds(200));
    assertEquals(
        List.of("task.to_be_stopped"),
        logged(() -> {
          aws.stops().wantLate(load());
          aws.stops().wantLate(load());
        }));
  }

  @Test
  void aStopThatIsNotOnRecordIsNotLogged() {
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
    sweep(); // ends the turn
    table.refuseTransactions();
    assertEquals(
        List.of(),
        logged(() ->
            assertThrows(
                Unavailable.class,
                () ->
                    RetryDeadline.run(
                        SHORT, () -> aws.sandboxes().reclaim(turn.key().sessionKey())))));
  }

  @Test
  void oneThatSavesIsLeftAlone() {
    assertTrue(aws.endings().cancel(turn.key().sessionKey(), Endings.Cancellation.ALL).isPresent());
    assertTrue(aws.sandboxes().open(load()));
    clock.pass(Duration.ofSeconds(200));
    aws.stops().wantLate(load());
    sweep();
    assertEquals(List.of(), ecs.stopped());
  }

  /// What the stops of tasks log.
  private static List<String> logged(Runnable work) {
    Logger logger = (Logger) LoggerFactory.getLogger(TaskStops.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.INFO);
    try {
      work.run();
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
    }
    return log.list.stream().map(ILoggingEvent::getMessage).toList();
  }

  private void sweep() {
    OverdueTurns overdue = aws.overdue(clock);
    Sweep.Swept _ =
        new Sweep(
                aws.turns(),
                overdue,
                aws.purge(),
                aws.sandboxes(),
                aws.stops(),
                aws.unsent(),
                45,
                1)
            .run(LONG);
  }

  /// A table that fails for a while.
  private static final class LostTable extends TableLayer {
    private boolean losing;
    private boolean lost;
    private boolean refusing;

    LostTable() {
      super(new InMemoryTable(InMemoryAws.TABLE));
    }

    void loseAfterNextTransaction() {
      losing = true;
    }

    void refuseTransactions() {
      refusing = true;
    }

    void find() {
      losing = false;
      lost = false;
    }

    @Override
    protected <T> T read(Supplier<T> call) {
      refuse();
      return call.get();
    }

    @Override
    protected <T> T write(Supplier<T> call) {
      refuse();
      return call.get();
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
      lost |= refusing;
      TransactWriteItemsResponse done = super.transactWriteItems(request);
      lost = losing;
      return done;
    }

    private void refuse() {
      if (lost) {
        throw InternalServerErrorException.builder().message("lost").statusCode(500).build();
      }
    }
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  private Turn running() {
    Turn queued = aws.accepted();
    assertTrue(aws.dispatches().recordLaunch(queued, "ticket", Duration.ofMinutes(3)));
    Claims.Outcome _ = aws.claim(queued, "ticket", "claim", 1000, "token", LONG);
    return aws.turns().load(queued.key()).orElseThrow();
  }

  private SandboxLock heldBefore(Turn next) {
    Turns.Locked seen = aws.turns().locked(next.key()).orElseThrow();
    return aws.handover().heldBefore(next, seen.lock()).orElseThrow();
  }
}
