package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.MessageKind;
import agentsessions.session.NewSession;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/// A client ends a turn by one try, though its agent goes on to speak meanwhile: else an agent that
/// speaks all the time could never be interrupted.
class InterruptionTest {
  private static final Workspace WORKSPACE = new Workspace("w");

  private final SettableClock clock = new SettableClock();
  private final BusyTable table = new BusyTable(new InMemoryTable(InMemoryAws.TABLE));
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);
  private final Turn turn = claimed();

  @Test
  void aFollowUpIsAcceptedWhileAnAgentSpeaks() {
    table.beforeAnEnd(this::speak);
    assertInstanceOf(
        Acceptance.Accepted.class,
        aws.intake().followUp(turn.key().session(), FollowUp.of("more"), "http://service", null));
    ended(TurnStatus.INTERRUPTED);
  }

  @Test
  void aTurnIsCancelledWhileAnAgentSpeaks() {
    table.beforeAnEnd(this::speak);
    assertTrue(aws.endings().cancel(turn.key().session()).isPresent());
    ended(TurnStatus.CANCELLED);
  }

  @Test
  void aSessionIsDeletedWhileAnAgentSpeaks() {
    table.beforeAnEnd(this::speak);
    assertTrue(aws.endings().delete(turn.key().session()));
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

  private Turn claimed() {
    Acceptance accepted =
        aws.intake().create(WORKSPACE, NewSession.of("shell", "hi"), "http://service", null);
    Turn queued = ((Acceptance.Accepted) accepted).turn();
    aws.dispatches().handOver(queued, "ticket", Duration.ofSeconds(45));
    aws.claim(queued, "ticket", "claim", 1000, "token", Duration.ofHours(1));
    return queued;
  }

  /// The in-memory table, where something happens before each of the first tries to end a turn.
  private static final class BusyTable implements DynamoDbClient {
    private static final int TRIES = 3;

    private final InMemoryTable table;
    private Runnable meanwhile = () -> {};
    private int ends;

    BusyTable(InMemoryTable table) {
      this.table = table;
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
      return table.transactWriteItems(request);
    }

    /// An end from outside compares the turn's last stamp with the one of the end.
    private static boolean ends(TransactWriteItem write) {
      return write.update() != null
          && write.update().expressionAttributeValues().containsKey(":before");
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
      return table.updateItem(request);
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
      return table.getItem(request);
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
      return table.batchGetItem(request);
    }

    @Override
    public QueryResponse query(QueryRequest request) {
      return table.query(request);
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }
}
