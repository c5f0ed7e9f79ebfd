package agentsessions.local.aws;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/// The one table, as template.yaml has it: `PK`, `SK` and the sparse index of live turns.
public final class Table {
  public static final String NAME = "agent-sessions";

  private Table() {}

  /// Makes the table unless it is there.
  public static void create(DynamoDbClient client) {
    try {
      client.createTable(request());
    } catch (ResourceInUseException e) {
      // There since the first start.
    }
  }

  private static CreateTableRequest request() {
    return CreateTableRequest.builder()
        .tableName(NAME)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .keySchema(key("PK", KeyType.HASH), key("SK", KeyType.RANGE))
        .attributeDefinitions(text("PK"), text("SK"), text("LIVE"), number("due_at"))
        .globalSecondaryIndexes(live())
        .build();
  }

  private static GlobalSecondaryIndex live() {
    return GlobalSecondaryIndex.builder()
        .indexName("live")
        .keySchema(List.of(key("LIVE", KeyType.HASH), key("due_at", KeyType.RANGE)))
        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY))
        .build();
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  private static AttributeDefinition text(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.S)
        .build();
  }

  private static AttributeDefinition number(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.N)
        .build();
  }
}
