package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.aws.TableLayer;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/// A client ends a turn by one try, though its agent goes on to speak meanwhile: else an agent that
/// speaks all the time could never be interrupted.
class InterruptionTest {
  private final SettableClock clock = new SettableClock();
  private final BusyTable table = new BusyTable(new InMemoryTable(InMemoryAws.TABLE));
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);
  private final Turn turn = aws.claimed();

  @Test
  void aFollowUpIsAcceptedWhileAnAgentSpeaks() {
    table.beforeAnEnd(this::speak);
    assertInstanceOf(
        Acceptance.Accepted.class,
        aws.intake()
            .followUp(turn.key().sessionKey(), FollowUp.of("more"), "http://service", null));
    ended(TurnStatus.INTERRUPTED);
  }

  @Test
  void aTurnIsCancelledWhileAnAgentSpeaks() {
    table.beforeAnEnd(this::speak);
    assertTrue(aws.endings().cancel(turn.key().sessionKey(), Endings.Cancellation.ALL).isPresent());
    ended(TurnStatus.CANCELLED);
  }

  @Test
  void aSessionIsDeletedWhileAnAgentSpeaks() {
    table.beforeAnEnd(this::speak);
    assertTrue(aws.endings().delete(turn.key().sessionKey()));
    ended(TurnStatus.CANCELLED);
  }

  private void ended(TurnStatus status) {
    assertEquals(status, load().status());
    assertEquals(1, load().counts().events());
    assertEquals(1, table.ends);
  }

  /// Between the read and the write of the end.
  private void speak() {
    clock.pass(Duration.ofMillis(10));
    int said = load().counts().events();
    assertEquals(
        Optional.of(said + 1),
        aws.events()
            .append(load(), said, List.of(new TurnEvents.Event(MessageKind.PROGRESS, "and"))));
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  /// The in-memory table, where something happens before each of the first tries to end a turn.
  private static final class BusyTable extends TableLayer {
    private static final int TRIES = 3;

    private Runnable meanwhile = () -> {};
    private int ends;

    BusyTable(InMemoryTable table) {
      super(table);
    }

    void beforeAnEnd(Runnable happens) {
      meanwhile = happens;
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
      if (request.transactItems().stream().anyMatch(BusyTable::ends)) {
        ends++;
        if (ends <= TRIES) {
          meanwhile.run();
        }
      }
      return super.transactWriteItems(request);
    }

    /// An end from outside compares the turn's last stamp with the one of the end.
    private static boolean ends(TransactWriteItem write) {
      return write.update() != null
          && write.update().expressionAttributeValues().containsKey(":before");
    }
  }
}
