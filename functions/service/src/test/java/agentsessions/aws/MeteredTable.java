package agentsessions.aws;

import agentsessions.table.Item;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/// The in-memory table with a count of the bytes that are read of it, and of the calls that read
/// them.
public final class MeteredTable extends TableLayer {
  private long bytes;
  private int calls;

  public MeteredTable(InMemoryTable table) {
    super(table);
  }

  /// How many were read since this was asked last.
  public long read() {
    long read = bytes;
    bytes = 0;
    return read;
  }

  /// How many calls have read since this was asked last.
  public int calls() {
    int made = calls;
    calls = 0;
    return made;
  }

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    GetItemResponse response = table.getItem(request);
    count(List.of(response.item()));
    return response;
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    BatchGetItemResponse response = table.batchGetItem(request);
    response.responses().values().forEach(this::count);
    return response;
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    QueryResponse response = table.query(request);
    count(response.items());
    return response;
  }

  private void count(List<Map<String, AttributeValue>> items) {
    calls++;
    bytes += items.stream().map(Item::new).mapToLong(Item::bytes).sum();
  }
}
