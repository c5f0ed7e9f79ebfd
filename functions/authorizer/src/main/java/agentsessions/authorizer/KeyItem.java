package agentsessions.authorizer;

import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The record of a key as the SDK reads and writes it.
record KeyItem(KeyRecord record) {
  static Map<String, AttributeValue> key(String id) {
    return itemKey("KEY#" + id);
  }

  static Map<String, AttributeValue> itemKey(String partition) {
    return Map.of("PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromS("0"));
  }

  static KeyRecord read(Map<String, AttributeValue> item) {
    Map<String, String> texts = new HashMap<>();
    item.forEach((name, value) -> {
      switch (value.type()) {
        case S -> texts.put(name, value.s());
        case N -> texts.put(name, value.n());
        case B ->
            texts.put(name, Base64.getEncoder().encodeToString(value.b().asByteArrayUnsafe()));
        case BOOL -> texts.put(name, value.bool().toString());
        case SS, NS, BS, M, L, NUL, UNKNOWN_TO_SDK_VERSION -> {}
      }
    });
    return KeyRecord.read(texts);
  }

  Map<String, AttributeValue> item() {
    Map<String, AttributeValue> item = new HashMap<>(key(record.id()));
    byte[] hash = Base64.getDecoder().decode(record.secretHash());
    item.put("secret_hash", AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(hash)));
    item.put("workspace", AttributeValue.fromS(record.workspace()));
    item.put("usage_id", AttributeValue.fromS(record.usageId()));
    item.put(
        KeyRecord.CREATED_MILLIS,
        AttributeValue.fromN(Long.toString(record.createdAt().toEpochMilli())));
    item.put("scopes", AttributeValue.fromS(Scope.texts(record.grant().scopes())));
    item.put("name", AttributeValue.fromS(record.grant().name()));
    if (record.grant().isSignIn()) {
      item.put("sign_in", AttributeValue.fromBool(true));
    }
    String madeBy = record.grant().madeBy();
    if (madeBy != null) {
      item.put("made_by", AttributeValue.fromS(madeBy));
    }
    item.putAll(ends());
    put(item, KeyRecord.LAST_USED, record.lastUsedAt());
    return item;
  }

  /// Writes a record that is not there yet.
  TransactWriteItem put(String table) {
    return TransactWriteItem.builder()
        .put(put ->
            put.tableName(table).item(item()).conditionExpression("attribute_not_exists(PK)"))
        .build();
  }

  /// Writes that it ended, and nothing else: when it was last used may change meanwhile.
  TransactWriteItem end(String table) {
    Map<String, AttributeValue> values = new HashMap<>();
    ends().forEach((name, value) -> values.put(":" + name, value));
    List<String> assignments =
        ends().keySet().stream().sorted().map(name -> name + " = :" + name).toList();
    return TransactWriteItem.builder()
        .update(update ->
            update
                .tableName(table)
                .key(key(record.id()))
                .updateExpression("SET " + String.join(", ", assignments))
                .conditionExpression("attribute_exists(PK)")
                .expressionAttributeValues(values))
        .build();
  }

  /// The attributes that say when it ends, or has.
  private Map<String, AttributeValue> ends() {
    Map<String, AttributeValue> ends = new HashMap<>();
    Instant expiresAt = record.grant().expiresAt();
    Instant end = record.revokedAt() == null ? expiresAt : record.revokedAt();
    put(ends, "expires_at", end == null ? null : end.plus(KeyRecord.REMEMBERED));
    put(ends, "ends_at", expiresAt);
    put(ends, "revoked_at", record.revokedAt());
    return ends;
  }

  private static void put(Map<String, AttributeValue> item, String name, @Nullable Instant time) {
    if (time != null) {
      item.put(name, AttributeValue.fromN(Long.toString(time.getEpochSecond())));
    }
  }
}
