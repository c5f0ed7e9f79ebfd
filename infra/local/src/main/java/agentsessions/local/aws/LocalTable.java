package agentsessions.local.aws;

import agentsessions.local.machine.SamTemplate;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;

/// The DynamoDB table, created from its definition in `template.yaml`.
public final class LocalTable {
  public static final String NAME = "agent-sessions";

  private LocalTable() {}

  /// Creates the table unless it exists.
  public static void create(DynamoDbClient client, CreateTableRequest definition) {
    try {
      client.createTable(definition);
    } catch (ResourceInUseException e) {
      // The first start has created it.
    }
  }

  public static CreateTableRequest definition() {
    JsonNode table = SamTemplate.properties("Table");
    return CreateTableRequest.builder()
        .tableName(NAME)
        .billingMode(table.path("BillingMode").asText())
        .keySchema(list(table.path("KeySchema"), LocalTable::key))
        .attributeDefinitions(list(table.path("AttributeDefinitions"), LocalTable::attribute))
        .globalSecondaryIndexes(list(table.path("GlobalSecondaryIndexes"), LocalTable::index))
        .build();
  }

  private static GlobalSecondaryIndex index(JsonNode index) {
    return GlobalSecondaryIndex.builder()
        .indexName(index.path("IndexName").asText())
        .keySchema(list(index.path("KeySchema"), LocalTable::key))
        .projection(projection ->
            projection.projectionType(index.at("/Projection/ProjectionType").asText()))
        .build();
  }

  private static KeySchemaElement key(JsonNode key) {
    return KeySchemaElement.builder()
        .attributeName(key.path("AttributeName").asText())
        .keyType(key.path("KeyType").asText())
        .build();
  }

  private static AttributeDefinition attribute(JsonNode attribute) {
    return AttributeDefinition.builder()
        .attributeName(attribute.path("AttributeName").asText())
        .attributeType(attribute.path("AttributeType").asText())
        .build();
  }

  private static <T> List<T> list(JsonNode values, Function<JsonNode, T> read) {
    return values.valueStream().map(read).toList();
  }
}
