package agentsessions.aws;

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

/// A decorator of the in-memory table that passes every call on. Subclasses change single calls, or
/// all reads and all writes.
public abstract class TableLayer implements DynamoDbClient, AwsStandIn {
  protected final InMemoryTable table;

  protected TableLayer(InMemoryTable table) {
    this.table = table;
  }

  protected <T> T read(Supplier<T> call) {
    return call.get();
  }

  protected <T> T write(Supplier<T> call) {
    return call.get();
  }

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    return read(() -> table.getItem(request));
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    return read(() -> table.batchGetItem(request));
  }

  @Override
  public TransactGetItemsResponse transactGetItems(TransactGetItemsRequest request) {
    return read(() -> table.transactGetItems(request));
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    return read(() -> table.query(request));
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    return write(() -> table.transactWriteItems(request));
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    return write(() -> table.updateItem(request));
  }

  @Override
  public PutItemResponse putItem(PutItemRequest request) {
    return write(() -> table.putItem(request));
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
    return write(() -> table.batchWriteItem(request));
  }
}
