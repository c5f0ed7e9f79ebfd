package agentsessions.table;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/// One conditional write as {@link Change} made it, so that the rooms that decide on writes need
/// not know the SDK. It is sent in a transaction, or alone.
public record Write(TransactWriteItem item) {

  /// As a part of a transaction.
  TransactWriteItem in(String table) {
    TransactWriteItem.Builder builder = item.toBuilder();
    if (item.update() != null) {
      builder.update(item.update().toBuilder().tableName(table).build());
    }
    if (item.put() != null) {
      builder.put(item.put().toBuilder().tableName(table).build());
    }
    if (item.delete() != null) {
      builder.delete(item.delete().toBuilder().tableName(table).build());
    }
    return builder.build();
  }

  /// Sends a put or an update by itself; a delete is only sent in a transaction.
  Object alone(DynamoDbClient client, String table) {
    return item.update() != null
        ? client.updateItem(alone(item.update(), table))
        : client.putItem(alone(item.put(), table));
  }

  private static UpdateItemRequest alone(Update update, String table) {
    UpdateItemRequest.Builder request =
        UpdateItemRequest.builder()
            .tableName(table)
            .key(update.key())
            .updateExpression(update.updateExpression())
            .conditionExpression(update.conditionExpression())
            .expressionAttributeNames(update.expressionAttributeNames())
            .returnValuesOnConditionCheckFailure(update.returnValuesOnConditionCheckFailure());
    if (update.hasExpressionAttributeValues()) {
      request.expressionAttributeValues(update.expressionAttributeValues());
    }
    return request.build();
  }

  private static PutItemRequest alone(Put put, String table) {
    PutItemRequest.Builder request =
        PutItemRequest.builder()
            .tableName(table)
            .item(put.item())
            .conditionExpression(put.conditionExpression())
            .returnValuesOnConditionCheckFailure(put.returnValuesOnConditionCheckFailure());
    if (put.hasExpressionAttributeNames()) {
      request.expressionAttributeNames(put.expressionAttributeNames());
    }
    if (put.hasExpressionAttributeValues()) {
      request.expressionAttributeValues(put.expressionAttributeValues());
    }
    return request.build();
  }
}
