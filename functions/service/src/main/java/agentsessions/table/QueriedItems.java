package agentsessions.table;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/// The items of a query, read page by page as they are iterated; DynamoDB ends a page at 1 MB. Each
/// request asks for as many as are expected to fit on a page, since DynamoDB Local loads everything
/// that it is asked for into its memory.
final class QueriedItems implements Iterator<Item> {
  private final DynamoDbClient client;
  private final QueryRequest request;
  private Iterator<Item> page = List.<Item>of().iterator();
  private Map<String, AttributeValue> start = Map.of();
  private int left;
  private long fitting;

  /// @param limit the most items in all
  /// @param fitting how many items are expected to fit on the first page
  QueriedItems(DynamoDbClient client, QueryRequest request, int limit, int fitting) {
    this.client = client;
    this.request = request;
    this.left = limit;
    this.fitting = fitting;
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
    QueryRequest.Builder builder = request.toBuilder().limit((int) Math.min(left, fitting));
    if (!start.isEmpty()) {
      builder.exclusiveStartKey(start);
    }
    QueryRequest next = builder.build();
    LargeReads.expect(0);
    QueryResponse response = Retries.call("Query", () -> client.query(next));
    List<Item> items = response.items().stream().map(Item::new).toList();
    long bytes = items.stream().mapToLong(Item::bytes).sum();
    LargeReads.count(bytes);
    fitting = bytes == 0 ? fitting : 1 + Table.PAGE_BYTES * items.size() / bytes;
    page = items.iterator();
    start = response.lastEvaluatedKey();
    left = start.isEmpty() ? 0 : left - items.size();
  }
}
