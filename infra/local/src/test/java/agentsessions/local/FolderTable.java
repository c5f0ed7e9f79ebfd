package agentsessions.local;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/// The table as far as a [SandboxCleanup] uses it: it counts what is read, has no scan, and can
/// break at any call, before or after it.
final class FolderTable implements DynamoDbClient {
  /// The answer to a read of many keys that is none.
  boolean busy;

  /// The call that breaks, counted down; 0 breaks none.
  int breaksAt;

  boolean breaksAfter;

  int reads;
  final Set<String> lookedUp = new HashSet<>();

  private final Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items =
      new HashMap<>();

  void put(String partition, String sort, Map<String, AttributeValue> attributes) {
    Map<String, AttributeValue> key =
        Map.of("PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromS(sort));
    Map<String, AttributeValue> item = new HashMap<>(key);
    item.putAll(attributes);
    items.put(key, item);
  }

  /// A call, also one of another kind, that breaks where it is to.
  <T> T step(Supplier<T> call) {
    boolean breaks = --breaksAt == 0;
    if (breaks && !breaksAfter) {
      throw new IllegalStateException("ended");
    }
    T done = call.get();
    if (breaks) {
      throw new IllegalStateException("ended");
    }
    return done;
  }

  /// The items with an attribute of this value, in no order.
  List<Map<String, AttributeValue>> with(String attribute, String value) {
    AttributeValue wanted = AttributeValue.fromS(value);
    return items.values().stream().filter(item -> wanted.equals(item.get(attribute))).toList();
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    if (!"live".equals(request.indexName())) {
      throw new AssertionError(request);
    }
    String shard = Objects.requireNonNull(request.expressionAttributeValues().get(":shard")).s();
    List<Map<String, AttributeValue>> found = with("LIVE", shard);
    reads += 1 + found.size();
    return step(() -> QueryResponse.builder().items(found).build());
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    KeysAndAttributes asked = request.requestItems().values().iterator().next();
    if (!asked.consistentRead()) {
      throw new AssertionError(request);
    }
    reads += asked.keys().size();
    asked.keys().forEach(key -> lookedUp.add(Objects.requireNonNull(key.get("PK")).s()));
    List<Map<String, AttributeValue>> found =
        asked.keys().stream().filter(items::containsKey).map(items::get).toList();
    String table = request.requestItems().keySet().iterator().next();
    BatchGetItemResponse.Builder answer = BatchGetItemResponse.builder();
    return step(() ->
        busy
            ? answer.responses(Map.of()).unprocessedKeys(request.requestItems()).build()
            : answer.responses(Map.of(table, found)).build());
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    return step(() -> {
      Map<String, AttributeValue> item = new HashMap<>(request.key());
      request
          .expressionAttributeValues()
          .forEach((name, value) -> item.put(name.substring(":set_".length()), value));
      items.putIfAbsent(request.key(), item);
      return UpdateItemResponse.builder().build();
    });
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
    return step(() -> {
      request.requestItems().values().stream()
          .flatMap(Collection::stream)
          .forEach(write -> items.remove(write.deleteRequest().key()));
      return BatchWriteItemResponse.builder().build();
    });
  }

  @Override
  public String serviceName() {
    return "dynamodb";
  }

  @Override
  public void close() {}
}
