package agentsessions.authorizer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/// The items of keys in the table: each read but that of a check is consistent, each change one
/// transaction that is decided again when another writer was faster.
public record KeyTable(DynamoDbClient client, String name) implements KeyLookup {
  private static final int BATCH = 100;
  private static final int MOST_DOUBLINGS = 7;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /// For the changes of this process, one after the other: at once they would only overtake each
  /// other, and on a busy machine the last of twenty would have no time left.
  private static final Lock CHANGING = new ReentrantLock(true);

  /// The decided change: its result and its writes. Without writes there is nothing to do.
  record Step<T>(T result, List<TransactWriteItem> writes) {}

  /// The decision on a change, made again until the keys that it was made on are still the same
  /// when it is written.
  interface Decision<T> {
    Step<T> on(KeySet keys);
  }

  @Override
  public Optional<KeyRecord> find(String id) {
    GetItemResponse found =
        SdkCalls.make(() -> client.getItem(get -> get.tableName(name).key(KeyItem.key(id))));
    return found.hasItem() ? Optional.of(KeyItem.read(found.item())) : Optional.empty();
  }

  @Override
  public void noteUse(String id, Instant hour) {
    UpdateItemRequest used =
        UpdateItemRequest.builder()
            .tableName(name)
            .key(KeyItem.key(id))
            .updateExpression(USED)
            .conditionExpression(NOT_YET_USED)
            .expressionAttributeValues(
                Map.of(":hour", AttributeValue.fromN(Long.toString(hour.getEpochSecond()))))
            .overrideConfiguration(
                call -> call.apiCallTimeout(NOTE_TIMEOUT).apiCallAttemptTimeout(NOTE_TIMEOUT))
            .build();
    try {
      SdkCalls.make(() -> client.updateItem(used));
    } catch (SdkException notSoImportant) {
      return;
    }
  }

  /// @throws TransactionCanceledException when others were faster for ten seconds
  <T> T change(String workspace, Decision<T> decision) {
    CHANGING.lock();
    try {
      return changed(workspace, decision);
    } finally {
      CHANGING.unlock();
    }
  }

  private <T> T changed(String workspace, Decision<T> decision) {
    long start = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      Step<T> step = decision.on(keys(workspace));
      try {
        write(step.writes());
        return step.result();
      } catch (TransactionCanceledException overtaken) {
        if (System.nanoTime() - start > TIMEOUT_NANOS) {
          throw overtaken;
        }
        pause(attempt);
      }
    }
  }

  KeySet keys(String workspace) {
    return KeySet.read(workspace, item(KeySet.key(workspace)));
  }

  Optional<KeyRecord> record(String id) {
    Map<String, AttributeValue> item = item(KeyItem.key(id));
    return item.isEmpty() ? Optional.empty() : Optional.of(KeyItem.read(item));
  }

  /// The records of these ids; those that the table has forgotten are missing.
  List<KeyRecord> records(Collection<String> ids) {
    List<Map<String, AttributeValue>> wanted =
        new ArrayList<>(ids.stream().map(KeyItem::key).toList());
    List<KeyRecord> records = new ArrayList<>();
    while (!wanted.isEmpty()) {
      List<Map<String, AttributeValue>> batch = wanted.subList(0, Math.min(BATCH, wanted.size()));
      BatchGetItemResponse found = read(batch);
      batch.clear();
      found.responses().getOrDefault(name, List.of()).stream()
          .map(KeyItem::read)
          .forEach(records::add);
      KeysAndAttributes unprocessed = found.unprocessedKeys().get(name);
      wanted.addAll(unprocessed == null ? List.of() : unprocessed.keys());
    }
    return records;
  }

  /// The workspaces that have keys, by name. It reads the whole table.
  List<String> workspaces() {
    return client
        .scanPaginator(scan ->
            scan.tableName(name)
                .projectionExpression("PK")
                .filterExpression(
                    "begins_with(PK, :workspace) AND contains(PK, :keys) AND attribute_exists(ids)")
                .expressionAttributeValues(
                    Map.of(
                        ":workspace", AttributeValue.fromS(KeySet.BEFORE),
                        ":keys", AttributeValue.fromS(KeySet.AFTER))))
        .items()
        .stream()
        .map(item -> item.getOrDefault("PK", AttributeValue.fromS("")).s())
        .filter(key -> key.endsWith(KeySet.AFTER))
        .map(key -> key.substring(KeySet.BEFORE.length(), key.length() - KeySet.AFTER.length()))
        .sorted()
        .toList();
  }

  private BatchGetItemResponse read(List<Map<String, AttributeValue>> keys) {
    KeysAndAttributes wanted =
        KeysAndAttributes.builder().keys(List.copyOf(keys)).consistentRead(true).build();
    return client.batchGetItem(get -> get.requestItems(Map.of(name, wanted)));
  }

  private Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
    return client.getItem(get -> get.tableName(name).key(key).consistentRead(true)).item();
  }

  private void write(List<TransactWriteItem> writes) {
    if (!writes.isEmpty()) {
      client.transactWriteItems(transaction -> transaction.transactItems(writes));
    }
  }

  /// The more tries, the longer: with short pauses many processes all read and write in each round,
  /// of which one succeeds, and the rounds grow too long for the deadline.
  private static void pause(int attempt) {
    long most = TimeUnit.MILLISECONDS.toNanos(10L << Math.min(attempt, MOST_DOUBLINGS));
    LockSupport.parkNanos(new Random().nextLong(most));
  }
}
