package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.Launches;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.aws.StartedTasks;
import agentsessions.aws.TableLayer;
import agentsessions.protocol.RunnerController;
import agentsessions.protocol.TurnReports;
import agentsessions.protocol.UsageReports;
import agentsessions.session.Engine;
import agentsessions.session.FollowUp;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.table.ChangeSignal;
import agentsessions.table.RetryDeadline;
import agentsessions.testing.SettableClock;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.Offers;
import agentsessions.turn.catalogue.PriceList;
import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/// What a runner says last, and is refused because another was faster, is tried again at once: with
/// no time left, in which a pause is not allowed.
class RefusedReleaseTest {
  private static final Duration LIMIT = Duration.ofHours(1);

  private final SettableClock clock = new SettableClock();
  private final RecordedTaskCalls machine = new RecordedTaskCalls();
  private final Meanwhile table = new Meanwhile();
  private final InMemoryAws aws = InMemoryAws.of(table, new InMemoryBucket(), machine, clock);
  private final Turn turn = aws.accepted();
  private final RunnerCredential token = claimed();

  @Test
  void aReleaseStartsTheTurnThatHasNamedItselfMeanwhile() {
    Turn next =
        InMemoryAws.accepted(
            aws.intake()
                .followUp(turn.key().sessionKey(), FollowUp.of("and"), "http://service", null));
    TurnSteps steps =
        aws.steps(
            Engine.LAMBDA, new Launches().function(), () -> new StartedTasks().runners(), clock);
    Turn ended = load();
    table.happen(() -> steps.run(new TurnSteps.Dispatch(next.key(), 1), 0, "next"));
    RetryDeadline.run(Duration.ZERO, () -> aws.sandboxes().release(ended, true, Optional.empty()));
    assertEquals(List.of("agentsessions.SandboxFree next"), machine.calls());
  }

  @Test
  void aResultComesAfterWhatTheAgentSaidMeanwhile() {
    List<TurnEvents.Event> said =
        Collections.nCopies(3, new TurnEvents.Event(MessageKind.PROGRESS, "on my way"));
    Turn running = load();
    table.happen(() -> assertTrue(aws.events().append(running, 0, said).isPresent()));
    TurnResult result = new TurnResult("completed", "done", null, List.of(), List.of(), null, null);
    RunnerController api = api();
    RetryDeadline.run(
        Duration.ZERO,
        () ->
            assertEquals(
                new RunnerMessages.Ended(false), api.result("Bearer " + token.text(), result)));
    assertEquals(TurnStatus.COMPLETED, load().status());
    assertEquals(3, load().counts().events());
  }

  private RunnerCredential claimed() {
    RunnerCredential ticket = RunnerCredential.ticket(turn, 1);
    assertTrue(aws.dispatches().recordLaunch(turn, ticket.hash(), LIMIT));
    long fence = Turn.fence(1, 1);
    RunnerCredential claimed = ticket.token(turn, "claim", fence);
    Claims.Outcome _ = aws.claim(load(), ticket.hash(), "claim", fence, claimed.hash(), LIMIT);
    return claimed;
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  private RunnerController api() {
    return new RunnerController(
        aws.turns(),
        aws.claims(),
        aws.events(),
        aws.endings(),
        aws.sandboxes(),
        aws.tasks(),
        aws.stops(),
        aws.bucket(),
        new TurnReports(aws.bucket(), clock),
        aws.workAnswers(),
        new UsageReports(new PriceList(null)),
        aws.warnings(),
        new AgentCatalogue(List.of("shell"), null, List.of(), Offers.on(Engine.LAMBDA)),
        new ChangeSignal(false),
        500,
        InMemoryAws.LEASE_SECONDS);
  }

  /// The in-memory table in which something happens before the next transaction.
  private static final class Meanwhile extends TableLayer {
    private Runnable happening = () -> {};

    Meanwhile() {
      super(new InMemoryTable(InMemoryAws.TABLE));
    }

    void happen(Runnable next) {
      happening = next;
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
      Runnable next = happening;
      happening = () -> {};
      next.run();
      return table.transactWriteItems(request);
    }
  }
}
