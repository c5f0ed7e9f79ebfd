package agentsessions.turn;

import agentsessions.aws.InMemoryTable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/// The in-memory table for many threads, with the time that each call takes on AWS.
public record SlowTable(InMemoryTable table) implements DynamoDbClient {
  private static final long READ = 5;
  private static final long WRITE = 10;

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    return after(READ, () -> table.getItem(request));
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    return after(READ, () -> table.batchGetItem(request));
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    return after(READ, () -> table.query(request));
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    return after(WRITE, () -> table.transactWriteItems(request));
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
    return after(WRITE, () -> table.batchWriteItem(request));
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}

  private <T> T after(long millis, Supplier<T> call) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    synchronized (table) {
      return call.get();
    }
  }
}
