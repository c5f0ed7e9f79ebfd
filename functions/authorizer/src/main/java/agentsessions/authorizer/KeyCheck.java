package agentsessions.authorizer;

import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The condition of a transaction that a key is live, by its record.
public record KeyCheck(String id, Instant now) {
  private static final String LIVE =
      "attribute_exists(#PK) AND attribute_not_exists(#revoked_at)"
          + " AND (attribute_not_exists(#ends_at) OR #ends_at > :now)";
  private static final Map<String, String> NAMES =
      Map.of("#PK", "PK", "#revoked_at", "revoked_at", "#ends_at", "ends_at");

  /// Where it does not hold, the answer does not have the record, which has the hash of a secret.
  public TransactWriteItem in(String table) {
    return TransactWriteItem.builder()
        .conditionCheck(check ->
            check
                .tableName(table)
                .key(KeyItem.key(id))
                .conditionExpression(LIVE)
                .expressionAttributeNames(NAMES)
                .expressionAttributeValues(
                    Map.of(":now", AttributeValue.fromN(Long.toString(now.getEpochSecond())))))
        .build();
  }
}
