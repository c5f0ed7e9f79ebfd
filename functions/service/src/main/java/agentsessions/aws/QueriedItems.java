package agentsessions.aws;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/// The items of a query, read as somebody goes through them: a page at a time, which DynamoDB ends
/// at 1 MB.
final class QueriedItems implements Iterator<Item> {
  private final DynamoDbClient client;
  private final QueryRequest request;
  private Iterator<Item> page = List.<Item>of().iterator();
  private Map<String, AttributeValue> start = Map.of();
  private int left;

  /// @param limit how many items there are at most
  QueriedItems(DynamoDbClient client, QueryRequest request, int limit) {
    this.client = client;
    this.request = request;
    this.left = limit;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && left > 0) {
      read();
    }
    return page.hasNext();
  }

  @Override
  public Item next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return page.next();
  }

  private void read() {
    QueryRequest.Builder builder = request.toBuilder().limit(left);
    if (!start.isEmpty()) {
      builder.exclusiveStartKey(start);
    }
    QueryRequest next = builder.build();
    QueryResponse response = Retries.call("Query", () -> client.query(next));
    List<Item> items = response.items().stream().map(Item::new).toList();
    page = items.iterator();
    start = response.lastEvaluatedKey();
    left = start.isEmpty() ? 0 : left - items.size();
  }
}
