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
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/// The in-memory table for many threads, with the milliseconds that each call takes.
public record SlowTable(InMemoryTable table, long read, long write) implements DynamoDbClient {

  /// As on AWS.
  public SlowTable(InMemoryTable table) {
    this(table, 5, 10);
  }

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    return after(read, () -> table.getItem(request));
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    return after(read, () -> table.batchGetItem(request));
  }

  @Override
  public TransactGetItemsResponse transactGetItems(TransactGetItemsRequest request) {
    return after(read, () -> table.transactGetItems(request));
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    return after(read, () -> table.query(request));
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    return after(write, () -> table.transactWriteItems(request));
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    return after(write, () -> table.updateItem(request));
  }

  @Override
  public PutItemResponse putItem(PutItemRequest request) {
    return after(write, () -> table.putItem(request));
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
    return after(write, () -> table.batchWriteItem(request));
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
