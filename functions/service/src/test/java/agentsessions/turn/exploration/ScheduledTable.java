package agentsessions.turn.exploration;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.InMemoryTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/// The in-memory table as actors see it: each call is a scheduling point and may meet a fault, and
/// after each write the invariants are checked.
final class ScheduledTable implements DynamoDbClient, AwsStandIn {
  /// The answer to a request never comes; whoever sent the request may send it again.
  static final class AnswerLost extends Error {
    private static final long serialVersionUID = 1L;

    AnswerLost() {
      super(null, null, false, false);
    }
  }

  private final InMemoryTable table;
  private final Scheduler scheduler;
  private final Fingerprint fingerprint;
  private final Invariants invariants;
  private final Sabotage sabotage;
  private final Runnable look;
  private long version;

  /// @param look comes before whoever reads whether a task waits
  ScheduledTable(
      InMemoryTable table,
      Scheduler scheduler,
      Fingerprint fingerprint,
      Invariants invariants,
      Sabotage sabotage,
      Runnable look) {
    this.table = table;
    this.scheduler = scheduler;
    this.fingerprint = fingerprint;
    this.invariants = invariants;
    this.sabotage = sabotage;
    this.look = look;
  }

  /// Grows with every write.
  long version() {
    return version;
  }

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    if (Step.part(InMemoryTable.key(request.key())).equals("STANDBY")) {
      look.run();
    }
    scheduler.point(false);
    GetItemResponse response = table.getItem(request);
    learn(response.hasItem() ? List.of(response.item()) : List.of());
    return response;
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    scheduler.point(false);
    BatchGetItemResponse response = table.batchGetItem(request);
    response.responses().values().forEach(this::learn);
    return response;
  }

  /// The shards of the index that have nothing are no place to change the actor.
  @Override
  public QueryResponse query(QueryRequest request) {
    boolean idle = request.indexName() != null && table.query(request).items().isEmpty();
    if (!idle) {
      scheduler.point(false);
    }
    QueryResponse response = table.query(request);
    learn(response.items());
    return response;
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    Scheduler.Fate fate = scheduler.point(true);
    if (fate == Scheduler.Fate.AGAIN) {
      unseen(() -> write(request));
      scheduler.point(false);
    }
    write(request);
    suffer(fate, scheduler);
    return TransactWriteItemsResponse.builder().build();
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    alone(InMemoryTable.transacted(request));
    return UpdateItemResponse.builder().build();
  }

  @Override
  public PutItemResponse putItem(PutItemRequest request) {
    alone(InMemoryTable.transacted(request));
    return PutItemResponse.builder().build();
  }

  /// Unlike a transaction it is judged anew when it comes again.
  private void alone(TransactWriteItem write) {
    Scheduler.Fate fate = scheduler.point(true);
    List<TransactWriteItem> writes = List.of(write);
    if (fate == Scheduler.Fate.AGAIN) {
      unseen(() -> apply(writes, () -> table.commit(writes)));
      scheduler.point(false);
    }
    InMemoryTable.alone(() -> apply(writes, () -> table.commit(writes)));
    suffer(fate, scheduler);
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
    Scheduler.Fate fate = scheduler.point(true);
    BatchWriteItemResponse response = table.batchWriteItem(request);
    request.requestItems().values().stream()
        .flatMap(List::stream)
        .map(write -> InMemoryTable.key(write.deleteRequest().key()))
        .forEach(this::changed);
    scheduler.note("purge");
    invariants.afterPurge();
    suffer(fate, scheduler);
    return response;
  }

  private void unseen(Runnable write) {
    try {
      write.run();
    } catch (TransactionCanceledException unseen) {
      scheduler.note("lost its refusal");
    }
  }

  private void write(TransactWriteItemsRequest request) {
    List<List<TransactWriteItem>> parts = sabotage.split(request.transactItems());
    if (parts.equals(List.of(request.transactItems())) && !sabotage.forgetsTokens()) {
      if (table.knows(Objects.requireNonNull(request.clientRequestToken()))) {
        return;
      }
      apply(request.transactItems(), () -> table.transactWriteItems(request));
      return;
    }
    for (List<TransactWriteItem> part : parts) {
      apply(part, () -> table.commit(part));
      scheduler.point(false);
    }
  }

  private void apply(List<TransactWriteItem> writes, Runnable commit) {
    Step step = Step.of(writes);
    Map<InMemoryTable.Key, Map<String, AttributeValue>> before = invariants.before(writes);
    try {
      commit.run();
    } catch (TransactionCanceledException cancelled) {
      scheduler.note(step + " refused");
      learn(cancelled);
      // Whoever pauses before the next try goes on at once: time is not what it waits for here.
      LockSupport.unpark(Thread.currentThread());
      throw cancelled;
    }
    writes.forEach(write -> changed(InMemoryTable.key(write)));
    scheduler.note(step + " committed");
    scheduler.learn(1);
    invariants.afterWrite(step, writes, before);
    scheduler.made(step);
  }

  static void suffer(Scheduler.Fate fate, Scheduler scheduler) {
    switch (fate) {
      case GO, AGAIN -> {}
      case DIE -> {
        scheduler.note("dies");
        throw new Scheduler.Crash();
      }
      case LOST -> {
        scheduler.note("its answer is lost");
        throw new AnswerLost();
      }
    }
  }

  private void changed(InMemoryTable.Key key) {
    version++;
    fingerprint.update(key, table.contents().get(key));
  }

  private void learn(List<Map<String, AttributeValue>> items) {
    long seen = items.size();
    for (Map<String, AttributeValue> item : items) {
      seen = Scheduler.mix(seen, fingerprint.of(item));
    }
    scheduler.learn(seen);
  }

  private void learn(TransactionCanceledException cancelled) {
    cancelled
        .cancellationReasons()
        .forEach(reason -> {
          scheduler.learn(Fingerprint.hash(Objects.requireNonNull(reason.code())));
          if (reason.hasItem()) {
            scheduler.learn(fingerprint.of(reason.item()));
          }
        });
  }

  /// What a test of the test takes away from the table.
  interface Sabotage {
    Sabotage NONE = new Sabotage() {};

    default Predicate<InMemoryTable.Guarded> ignored() {
      return _ -> false;
    }

    default List<List<TransactWriteItem>> split(List<TransactWriteItem> transaction) {
      return List.of(transaction);
    }

    default boolean forgetsTokens() {
      return false;
    }

    default boolean sweeps() {
      return true;
    }
  }
}
