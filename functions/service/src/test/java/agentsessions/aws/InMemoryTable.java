package agentsessions.aws;

import agentsessions.table.Item;
import agentsessions.table.Layout;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/// The one table, held in memory, at the boundary of the SDK: each call is atomic and means what it
/// means to DynamoDB, as far as this service makes it; any other call is refused with an
/// `AssertionError`. For one thread at a time.
///
/// Its index answers the first shard of a kind with everything of that kind that is due and the
/// others with nothing, so that ids drawn at random cannot change the order of what the sweep does;
/// but that of a webhook's deliveries is as it is.
public final class InMemoryTable implements DynamoDbClient, AwsStandIn {
  private static final int MOST_WRITES = 100;
  private static final int MOST_DELETES = 25;
  private static final long PAGE_BYTES = 1 << 20;
  private static final Set<String> PROJECTIONS = Set.of("PK, SK", "PK, SK, #part");

  /// The key of an item.
  public record Key(String pk, String sk) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::pk).thenComparing(Key::sk);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /// A clause of the condition of one write in a transaction.
  public record Guarded(List<TransactWriteItem> transaction, int position, String clause) {}

  /// The clauses that tables treat as fulfilled which are made in its scope: for tests of tests.
  public static final ScopedValue<Predicate<Guarded>> IGNORED = ScopedValue.newInstance();

  private final String name;
  private final Predicate<Guarded> ignored;
  private final NavigableMap<Key, Map<String, AttributeValue>> items = new TreeMap<>();
  private final Map<String, TransactWriteItemsRequest> committed = new HashMap<>();

  public InMemoryTable(String name) {
    this(name, IGNORED.orElse(_ -> false));
  }

  /// A table that treats the clauses chosen by `ignored` as fulfilled: for tests of tests.
  public InMemoryTable(String name, Predicate<Guarded> ignored) {
    this.name = name;
    this.ignored = ignored;
  }

  /// What is stored, in the order of keys.
  public NavigableMap<Key, Map<String, AttributeValue>> contents() {
    return items;
  }

  public static Key key(TransactWriteItem write) {
    if (write.update() != null) {
      return key(write.update().key());
    }
    if (write.conditionCheck() != null) {
      return key(write.conditionCheck().key());
    }
    return key(write.put() != null ? write.put().item() : write.delete().key());
  }

  /// Whether a transaction with this token was committed: a repeat changes nothing.
  public boolean knows(String clientRequestToken) {
    return committed.containsKey(clientRequestToken);
  }

  /// How many items the sweep would find.
  public long due(long now) {
    return indexed(now).count();
  }

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    require(name.equals(request.tableName()) && request.consistentRead(), request);
    Map<String, AttributeValue> item = items.get(key(request.key()));
    return item == null
        ? GetItemResponse.builder().build()
        : GetItemResponse.builder().item(item).build();
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    KeysAndAttributes wanted = Objects.requireNonNull(request.requestItems().get(name));
    Set<Key> keys = new HashSet<>();
    wanted.keys().forEach(key -> require(keys.add(key(key)), "a key twice"));
    require(wanted.consistentRead() && keys.size() <= MOST_WRITES, request);
    List<Map<String, AttributeValue>> found =
        keys.stream().filter(items::containsKey).map(items::get).toList();
    return BatchGetItemResponse.builder().responses(Map.of(name, found)).build();
  }

  @Override
  public TransactGetItemsResponse transactGetItems(TransactGetItemsRequest request) {
    return TransactGetItemsResponse.builder()
        .responses(
            request.transactItems().stream()
                .map(asked -> items.getOrDefault(key(asked.get().key()), Map.of()))
                .map(item -> ItemResponse.builder().item(item).build())
                .toList())
        .build();
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    require(name.equals(request.tableName()), request);
    List<Map<String, AttributeValue>> found =
        Layout.LIVE_INDEX.equals(request.indexName()) ? index(request) : partition(request);
    int limit = request.limit() == null ? Integer.MAX_VALUE : request.limit();
    int size = Math.min(limit, fitting(found));
    QueryResponse.Builder response = QueryResponse.builder().items(found.subList(0, size));
    if (size > 0 && (size == limit || size < found.size())) {
      response.lastEvaluatedKey(keyOf(found.get(size - 1)));
    }
    return response.build();
  }

  /// How many are on one page, which is as large as it may be with the last of them.
  private static int fitting(List<Map<String, AttributeValue>> found) {
    long bytes = 0;
    for (int i = 0; i < found.size(); i++) {
      bytes += new Item(found.get(i)).bytes();
      if (bytes >= PAGE_BYTES) {
        return i + 1;
      }
    }
    return found.size();
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    TransactWriteItemsRequest before = committed.get(request.clientRequestToken());
    require(before == null || before.equals(request), "one token for two transactions");
    if (before == null) {
      commit(request.transactItems());
      committed.put(Objects.requireNonNull(request.clientRequestToken()), request);
    }
    return TransactWriteItemsResponse.builder().build();
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    alone(() -> commit(List.of(transacted(request))));
    return UpdateItemResponse.builder().build();
  }

  @Override
  public PutItemResponse putItem(PutItemRequest request) {
    alone(() -> commit(List.of(transacted(request))));
    return PutItemResponse.builder().build();
  }

  /// The same write as a part of a transaction.
  public static TransactWriteItem transacted(UpdateItemRequest request) {
    return TransactWriteItem.builder()
        .update(
            Update.builder()
                .tableName(request.tableName())
                .key(request.key())
                .updateExpression(request.updateExpression())
                .conditionExpression(request.conditionExpression())
                .expressionAttributeNames(request.expressionAttributeNames())
                .expressionAttributeValues(request.expressionAttributeValues())
                .returnValuesOnConditionCheckFailure(request.returnValuesOnConditionCheckFailure())
                .build())
        .build();
  }

  /// The same write as a part of a transaction.
  public static TransactWriteItem transacted(PutItemRequest request) {
    return TransactWriteItem.builder()
        .put(
            Put.builder()
                .tableName(request.tableName())
                .item(request.item())
                .conditionExpression(request.conditionExpression())
                .expressionAttributeNames(request.expressionAttributeNames())
                .expressionAttributeValues(request.expressionAttributeValues())
                .returnValuesOnConditionCheckFailure(request.returnValuesOnConditionCheckFailure())
                .build())
        .build();
  }

  /// A write that is refused by itself is refused in other words than in a transaction.
  public static void alone(Runnable commit) {
    try {
      commit.run();
    } catch (TransactionCanceledException cancelled) {
      CancellationReason reason = cancelled.cancellationReasons().getFirst();
      ConditionalCheckFailedException.Builder refused =
          ConditionalCheckFailedException.builder().message("The conditional request failed");
      throw reason.hasItem() ? refused.item(reason.item()).build() : refused.build();
    }
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
    List<WriteRequest> writes = Objects.requireNonNull(request.requestItems().get(name));
    require(!writes.isEmpty() && writes.size() <= MOST_DELETES, request);
    for (WriteRequest write : writes) {
      require(write.putRequest() == null, write);
      items.remove(key(write.deleteRequest().key()));
    }
    return BatchWriteItemResponse.builder().build();
  }

  /// All or nothing; the writes may come in any order, since no two touch one item.
  public void commit(List<TransactWriteItem> writes) {
    Set<Key> keys = new HashSet<>();
    writes.forEach(write -> require(keys.add(key(write)), "two writes of one item"));
    require(!writes.isEmpty() && writes.size() <= MOST_WRITES, "a transaction's size");
    List<CancellationReason> reasons = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      reasons.add(reason(writes, i));
    }
    if (reasons.stream().anyMatch(reason -> !"None".equals(reason.code()))) {
      throw TransactionCanceledException.builder()
          .message("Transaction cancelled")
          .cancellationReasons(reasons)
          .build();
    }
    writes.forEach(this::apply);
  }

  private CancellationReason reason(List<TransactWriteItem> writes, int position) {
    TransactWriteItem write = writes.get(position);
    Map<String, AttributeValue> old = items.getOrDefault(key(write), Map.of());
    Expression.Condition condition = Expression.condition(conditionOf(write));
    if (condition.holds(
        new Expression.Operands(old, values(write)),
        clause -> ignored.test(new Guarded(writes, position, clause)))) {
      return CancellationReason.builder().code("None").build();
    }
    CancellationReason.Builder refused =
        CancellationReason.builder().code("ConditionalCheckFailed");
    return old.isEmpty() || !returnsOld(write) ? refused.build() : refused.item(old).build();
  }

  private void apply(TransactWriteItem write) {
    Key key = key(write);
    Expression.Condition condition = Expression.condition(conditionOf(write));
    Set<String> names = new HashSet<>(condition.names());
    Set<String> values = new HashSet<>(condition.values());
    if (write.update() != null) {
      Map<String, AttributeValue> old = items.getOrDefault(key, write.update().key());
      items.put(key, updated(write.update(), old, names, values));
    } else if (write.put() != null) {
      items.put(key, Map.copyOf(write.put().item()));
    } else if (write.delete() != null) {
      items.remove(key);
    }
    require(names.equals(names(write).keySet()), write);
    require(values.equals(values(write).keySet()), write);
  }

  private static Map<String, AttributeValue> updated(
      Update update, Map<String, AttributeValue> old, Set<String> names, Set<String> values) {
    Expression.Change change = Expression.change(update.updateExpression());
    names.addAll(change.names());
    values.addAll(change.values());
    Map<String, AttributeValue> updated =
        change.applied(new Expression.Operands(old, update.expressionAttributeValues()));
    require(key(updated).equals(key(update.key())), "a change of the key");
    return Map.copyOf(updated);
  }

  private List<Map<String, AttributeValue>> index(QueryRequest request) {
    require(
        "LIVE = :shard AND due_at <= :now".equals(request.keyConditionExpression())
            && !request.hasExclusiveStartKey(),
        request);
    Map<String, AttributeValue> values = request.expressionAttributeValues();
    String shard = text(values, ":shard");
    long now = Long.parseLong(Objects.requireNonNull(values.get(":now")).n());
    if (shard.startsWith("DELIVERY#")) {
      return indexed(now)
          .filter(item -> text(item, "LIVE").equals(shard))
          .map(InMemoryTable::indexedOf)
          .toList();
    }
    return shard.endsWith("#0")
        ? indexed(now)
            .filter(item -> text(item, "LIVE").startsWith(shard.substring(0, shard.length() - 1)))
            .map(InMemoryTable::keyOf)
            .toList()
        : List.of();
  }

  private static Map<String, AttributeValue> indexedOf(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> found = new HashMap<>(keyOf(item));
    found.put("due_at", Objects.requireNonNull(item.get("due_at")));
    return Map.copyOf(found);
  }

  private Stream<Map<String, AttributeValue>> indexed(long now) {
    return items.values().stream()
        .filter(item -> item.containsKey("LIVE") && item.containsKey("due_at"))
        .filter(item -> dueAt(item).compareTo(BigDecimal.valueOf(now)) <= 0)
        .sorted(Comparator.comparing(InMemoryTable::dueAt));
  }

  private List<Map<String, AttributeValue>> partition(QueryRequest request) {
    Map<String, AttributeValue> values = request.expressionAttributeValues();
    String pk = text(values, ":pk");
    require(request.consistentRead(), request);
    NavigableMap<Key, Map<String, AttributeValue>> range =
        switch (request.keyConditionExpression()) {
          case "PK = :pk" -> items.subMap(new Key(pk, ""), true, new Key(pk, "\uffff"), true);
          case "PK = :pk AND SK BETWEEN :first AND :last" ->
              range(pk, text(values, ":first"), text(values, ":last"));
          default -> throw new AssertionError(request);
        };
    boolean descending = Boolean.FALSE.equals(request.scanIndexForward());
    NavigableMap<Key, Map<String, AttributeValue>> ordered =
        descending ? range.descendingMap() : range;
    if (request.hasExclusiveStartKey()) {
      ordered = ordered.tailMap(key(request.exclusiveStartKey()), false);
    }
    String projection = request.projectionExpression();
    require(projection == null || PROJECTIONS.contains(projection), request);
    return ordered.values().stream()
        .map(item -> projection == null ? item : projected(item, request))
        .toList();
  }

  private NavigableMap<Key, Map<String, AttributeValue>> range(
      String pk, String first, String last) {
    require(first.compareTo(last) <= 0, "BETWEEN needs an order");
    return items.subMap(new Key(pk, first), true, new Key(pk, last), true);
  }

  public static Key key(Map<String, AttributeValue> item) {
    Key key = new Key(text(item, "PK"), text(item, "SK"));
    require(!key.pk().isEmpty() && !key.sk().isEmpty(), "an empty key");
    return key;
  }

  /// The key, and the attributes that are named beside it.
  private static Map<String, AttributeValue> projected(
      Map<String, AttributeValue> item, QueryRequest request) {
    Map<String, AttributeValue> projected = new HashMap<>(keyOf(item));
    for (String name : request.expressionAttributeNames().values()) {
      AttributeValue value = item.get(name);
      if (value != null) {
        projected.put(name, value);
      }
    }
    return projected;
  }

  private static Map<String, AttributeValue> keyOf(Map<String, AttributeValue> item) {
    return Map.of(
        "PK", Objects.requireNonNull(item.get("PK")), "SK", Objects.requireNonNull(item.get("SK")));
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return Objects.requireNonNull(Objects.requireNonNull(item.get(name), name).s(), name);
  }

  private static BigDecimal dueAt(Map<String, AttributeValue> item) {
    return new BigDecimal(Objects.requireNonNull(item.get("due_at")).n());
  }

  private static @Nullable String conditionOf(TransactWriteItem write) {
    Update update = write.update();
    Put put = write.put();
    Delete delete = write.delete();
    if (update != null) {
      return update.conditionExpression();
    }
    if (write.conditionCheck() != null) {
      return write.conditionCheck().conditionExpression();
    }
    return put != null ? put.conditionExpression() : delete.conditionExpression();
  }

  private static boolean returnsOld(TransactWriteItem write) {
    if (write.conditionCheck() != null) {
      return false;
    }
    Update update = write.update();
    Put put = write.put();
    ReturnValuesOnConditionCheckFailure wanted =
        update != null
            ? update.returnValuesOnConditionCheckFailure()
            : put != null
                ? put.returnValuesOnConditionCheckFailure()
                : write.delete().returnValuesOnConditionCheckFailure();
    return wanted == ReturnValuesOnConditionCheckFailure.ALL_OLD;
  }

  private static Map<String, AttributeValue> values(TransactWriteItem write) {
    Update update = write.update();
    Put put = write.put();
    if (update != null) {
      return update.expressionAttributeValues();
    }
    if (write.conditionCheck() != null) {
      return write.conditionCheck().expressionAttributeValues();
    }
    return put != null
        ? put.expressionAttributeValues()
        : write.delete().expressionAttributeValues();
  }

  private static Map<String, String> names(TransactWriteItem write) {
    Update update = write.update();
    Put put = write.put();
    if (update != null) {
      return update.expressionAttributeNames();
    }
    if (write.conditionCheck() != null) {
      return write.conditionCheck().expressionAttributeNames();
    }
    return put != null ? put.expressionAttributeNames() : write.delete().expressionAttributeNames();
  }

  private static void require(boolean fulfilled, Object otherwise) {
    if (!fulfilled) {
      throw new AssertionError("the in-memory table refuses " + otherwise);
    }
  }
}
