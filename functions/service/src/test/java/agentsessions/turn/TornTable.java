package agentsessions.turn;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.TableLayer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/// The in-memory table with transactions that become visible in parts to queries and batches, as
/// DynamoDB may show one for a moment.
public final class TornTable extends TableLayer {
  private static final int LONGEST = 12;

  private final Random random;
  private final String torn;
  private final Map<InMemoryTable.Key, Integer> hidden = new HashMap<>();

  /// Of a transaction its messages and their copies, but no user's and no final ones themselves.
  TornTable(InMemoryTable table, Random random) {
    this(table, random, "PCM");
  }

  /// @param torn the parts that become visible by themselves, by the first letter of their sort
  ///   keys
  public TornTable(InMemoryTable table, Random random, String torn) {
    super(table);
    this.random = random;
    this.torn = torn;
  }

  /// Makes everything visible.
  public void heal() {
    hidden.clear();
  }

  /// Hides what is stored under sort keys that begin so, for so many queries and batches.
  void hide(String prefix, int reads) {
    table.contents().keySet().stream()
        .filter(key -> key.sk().startsWith(prefix))
        .forEach(key -> hidden.put(key, reads));
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    TransactWriteItemsResponse response = table.transactWriteItems(request);
    request.transactItems().stream()
        .map(InMemoryTable::key)
        .filter(key -> key.sk().charAt(1) == '#' && torn.indexOf(key.sk().charAt(0)) >= 0)
        .forEach(key -> hidden.put(key, random.nextInt(LONGEST)));
    return response;
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    QueryResponse response = table.query(request);
    return response.toBuilder().items(seen(response.items())).build();
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    BatchGetItemResponse response = table.batchGetItem(request);
    List<Map<String, AttributeValue>> found =
        response.responses().getOrDefault(InMemoryAws.TABLE, List.of());
    return response.toBuilder().responses(Map.of(InMemoryAws.TABLE, seen(found))).build();
  }

  private List<Map<String, AttributeValue>> seen(List<Map<String, AttributeValue>> found) {
    List<Map<String, AttributeValue>> seen =
        found.stream().filter(item -> !hidden.containsKey(InMemoryTable.key(item))).toList();
    hidden.replaceAll((_, left) -> left - 1);
    hidden.values().removeIf(left -> left < 0);
    return seen;
  }
}
