package agentsessions.table;

import agentsessions.authorizer.KeyEnded;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.Get;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/// The one DynamoDB table. Reads by key and by range are strongly consistent, those of the index
/// are not; every write but `purge` has conditions.
@Singleton
public final class Table {
  /// The most items of a batch of reads, and of a transaction.
  public static final int MOST_ITEMS = 100;

  /// The size at which DynamoDB ends a page of a query, in bytes.
  public static final long PAGE_BYTES = 1 << 20;

  private static final int BATCH_WRITE = 25;

  /// The outcome of a transaction, or of one write by itself.
  public sealed interface Outcome {
    record Committed() implements Outcome {}

    /// A condition did not hold: `by` has the old items by the position of the write they refused;
    /// an absent one is empty.
    record Refused(Map<Integer, Optional<Item>> by) implements Outcome {
      public Optional<Item> old(int position) {
        return by.getOrDefault(position, Optional.empty());
      }
    }

    default boolean committed() {
      return this instanceof Committed;
    }
  }

  private final DynamoDbClient client;
  private final String name;
  private final ChangeSignal signal;

  public Table(DynamoDbClient client, @Property(name = "table") String name, ChangeSignal signal) {
    this.client = client;
    this.name = name;
    this.signal = signal;
  }

  public Optional<Item> item(Layout.Key key) {
    GetItemRequest request =
        GetItemRequest.builder().tableName(name).key(key.attributes()).consistentRead(true).build();
    Map<String, AttributeValue> item =
        Retries.call("GetItem", () -> client.getItem(request).item());
    return item.isEmpty() ? Optional.empty() : Optional.of(new Item(item));
  }

  /// Items by key, 100 a call; those that do not exist are missing from the answer.
  public Map<Layout.Key, Item> items(List<Layout.Key> keys) {
    Map<Layout.Key, Item> found = new HashMap<>();
    List<Layout.Key> all = keys.stream().distinct().toList();
    for (int from = 0; from < all.size(); from += MOST_ITEMS) {
      batch(all.subList(from, Math.min(all.size(), from + MOST_ITEMS)), found);
    }
    return found;
  }

  private void batch(List<Layout.Key> keys, Map<Layout.Key, Item> found) {
    List<Map<String, AttributeValue>> missing =
        new ArrayList<>(keys.stream().map(Layout.Key::attributes).toList());
    LargeReads.expect(0);
    Retries.call(
        "BatchGetItem",
        () -> {
          BatchGetItemResponse response = client.batchGetItem(batch(missing));
          List<Item> items =
              response.responses().getOrDefault(name, List.of()).stream().map(Item::new).toList();
          items.forEach(item -> found.put(item.key(), item));
          LargeReads.count(items.stream().mapToLong(Item::bytes).sum());
          KeysAndAttributes unprocessed = response.unprocessedKeys().get(name);
          return Retries.leave(missing, unprocessed == null ? List.of() : unprocessed.keys());
        });
  }

  /// A few items by key, read in one transaction, as they were at one moment.
  public Map<Layout.Key, Item> together(List<Layout.Key> keys) {
    TransactGetItemsRequest request =
        TransactGetItemsRequest.builder()
            .transactItems(keys.stream().map(this::transactGet).toList())
            .build();
    Map<Layout.Key, Item> found = new HashMap<>();
    Retries.call("TransactGetItems", () -> client.transactGetItems(request)).responses().stream()
        .filter(response -> response.hasItem() && !response.item().isEmpty())
        .forEach(response -> found.put(key(response.item()), new Item(response.item())));
    return found;
  }

  private TransactGetItem transactGet(Layout.Key key) {
    return TransactGetItem.builder()
        .get(Get.builder().tableName(name).key(key.attributes()).build())
        .build();
  }

  private BatchGetItemRequest batch(List<Map<String, AttributeValue>> keys) {
    KeysAndAttributes wanted = KeysAndAttributes.builder().keys(keys).consistentRead(true).build();
    return BatchGetItemRequest.builder().requestItems(Map.of(name, wanted)).build();
  }

  /// The items of one partition with sort keys from `first` to `last`, both included; at most
  /// `limit`.
  public List<Item> range(String pk, String first, String last, boolean ascending, int limit) {
    return all(each(pk, first, last, ascending, limit, limit));
  }

  /// The same, read page by page as they are iterated.
  ///
  /// @param fitting how many items are expected to fit on a page of 1 MB
  public Iterator<Item> each(
      String pk, String first, String last, boolean ascending, int limit, int fitting) {
    if (first.compareTo(last) > 0) {
      return Collections.emptyIterator(); // DynamoDB refuses an upside-down BETWEEN
    }
    return new QueriedItems(
        client,
        QueryRequest.builder()
            .tableName(name)
            .consistentRead(true)
            .keyConditionExpression("PK = :pk AND SK BETWEEN :first AND :last")
            .expressionAttributeValues(
                Map.of(":pk", text(pk), ":first", text(first), ":last", text(last)))
            .scanIndexForward(ascending)
            .build(),
        limit,
        fitting);
  }

  /// The keys of up to `limit` items of one partition.
  public List<Layout.Key> keys(String pk, int limit) {
    return query(partition(pk).projectionExpression("PK, SK").build(), limit).stream()
        .map(Item::key)
        .toList();
  }

  /// The same items with their keys and no more than one attribute, where they have it.
  public List<Item> keys(String pk, Attribute<?> attribute, int limit) {
    return query(
        partition(pk)
            .projectionExpression("PK, SK, #part")
            .expressionAttributeNames(Map.of("#part", attribute.name()))
            .build(),
        limit);
  }

  private QueryRequest.Builder partition(String pk) {
    return QueryRequest.builder()
        .tableName(name)
        .consistentRead(true)
        .keyConditionExpression("PK = :pk")
        .expressionAttributeValues(Map.of(":pk", text(pk)));
  }

  /// The items that are due for the sweep, of one partition of the sparse index; keys only,
  /// eventually consistent.
  public List<Item> due(String shard, long now, int limit) {
    return query(
        QueryRequest.builder()
            .tableName(name)
            .indexName(Layout.LIVE_INDEX)
            .keyConditionExpression("LIVE = :shard AND due_at <= :now")
            .expressionAttributeValues(
                Map.of(":shard", text(shard), ":now", AttributeFormat.NUMBER.written().apply(now)))
            .limit(limit)
            .build(),
        limit);
  }

  /// The key of one item in a partition of the sparse index; none where the partition is empty.
  /// Eventually consistent.
  public List<Layout.Key> indexed(String shard) {
    return query(
            QueryRequest.builder()
                .tableName(name)
                .indexName(Layout.LIVE_INDEX)
                .keyConditionExpression("LIVE = :shard")
                .expressionAttributeValues(Map.of(":shard", text(shard)))
                .build(),
            1)
        .stream()
        .map(Item::key)
        .toList();
  }

  /// Makes writes in one transaction; its token makes a retry after a lost answer a no-op. Watches
  /// are woken even where it is not known whether it was committed.
  ///
  /// @throws KeyEnded if it is made in the name of a [CallersKey] that has ended
  public Outcome write(List<Write> writes) {
    Stream<TransactWriteItem> items = writes.stream().map(write -> write.in(name));
    TransactWriteItemsRequest request =
        TransactWriteItemsRequest.builder()
            .clientRequestToken(UUID.randomUUID().toString())
            .transactItems(Stream.concat(items, CallersKey.demand(name).stream()).toList())
            .build();
    try {
      Retries.call("TransactWriteItems", () -> client.transactWriteItems(request));
      return new Outcome.Committed();
    } catch (TransactionCanceledException cancelled) {
      return refused(cancelled, writes.size());
    } finally {
      signal.written(writes.stream().map(write -> key(write.item())).toList());
    }
  }

  /// Makes one write by itself, for half the price of a transaction, where it need not be one for a
  /// [CallersKey]. A retry after a lost answer is judged anew, so this is for conditions that the
  /// write itself leaves fulfilled; where the first of several must win, a transaction recognizes
  /// its own retry.
  public Outcome write(Write write) {
    if (CallersKey.demand(name).isPresent()) {
      return write(List.of(write));
    }
    try {
      Retries.call("a write", () -> write.alone(client, name));
      return new Outcome.Committed();
    } catch (ConditionalCheckFailedException refused) {
      return new Outcome.Refused(Map.of(0, old(refused.hasItem(), refused.item())));
    } finally {
      signal.written(List.of(key(write.item())));
    }
  }

  /// Sends a transaction that changes nothing, so that the classes for one are loaded.
  ///
  /// @param nothing the key of an item that is not there
  public void prime(Layout.Key nothing) {
    Write _ = Change.of(nothing).put(); // made only, and not sent
    Outcome _ = write(List.of(Change.of(nothing).delete()));
  }

  /// Removes items without conditions: only items that cannot be reached any more.
  public void purge(List<Layout.Key> keys) {
    for (int from = 0; from < keys.size(); from += BATCH_WRITE) {
      List<WriteRequest> deletes =
          new ArrayList<>(
              keys.subList(from, Math.min(keys.size(), from + BATCH_WRITE)).stream()
                  .map(key -> DeleteRequest.builder().key(key.attributes()).build())
                  .map(delete -> WriteRequest.builder().deleteRequest(delete).build())
                  .toList());
      Retries.call(
          "BatchWriteItem",
          () -> {
            BatchWriteItemRequest request =
                BatchWriteItemRequest.builder().requestItems(Map.of(name, deletes)).build();
            return Retries.leave(
                deletes,
                client.batchWriteItem(request).unprocessedItems().getOrDefault(name, List.of()));
          });
    }
  }

  public static Layout.Key key(Map<String, AttributeValue> item) {
    return new Item(item).key();
  }

  private static Layout.Key key(TransactWriteItem write) {
    if (write.put() != null) {
      return key(write.put().item());
    }
    return key(write.update() != null ? write.update().key() : write.delete().key());
  }

  private List<Item> query(QueryRequest request, int limit) {
    return all(new QueriedItems(client, request, limit, limit));
  }

  private static List<Item> all(Iterator<Item> items) {
    List<Item> all = new ArrayList<>();
    items.forEachRemaining(all::add);
    return all;
  }

  private static AttributeValue text(String text) {
    return AttributeValue.fromS(text);
  }

  /// @param writes how many there were, before what a [CallersKey] demands
  private static Outcome refused(TransactionCanceledException cancelled, int writes) {
    Map<Integer, Optional<Item>> refused = new HashMap<>();
    for (int i = 0; i < cancelled.cancellationReasons().size(); i++) {
      CancellationReason reason = cancelled.cancellationReasons().get(i);
      if ("ConditionalCheckFailed".equals(reason.code())) {
        refused.put(i, old(reason.hasItem(), reason.item()));
      }
    }
    if (refused.containsKey(writes)) {
      throw new KeyEnded();
    }
    if (refused.isEmpty()) {
      throw cancelled;
    }
    return new Outcome.Refused(refused);
  }

  private static Optional<Item> old(boolean there, Map<String, AttributeValue> item) {
    return there ? Optional.of(new Item(item)) : Optional.empty();
  }
}
