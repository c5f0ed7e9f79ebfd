package agentsessions.authorizer;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// What the table keeps of a key, as the item `KEY#{id}` / `0`: never the secret, only its SHA-256.
/// `usageId` is the random name under which the usage plan counts the key. Times are whole seconds.
public record KeyRecord(
    String id,
    SdkBytes secretHash,
    String workspace,
    String usageId,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt) {

  static KeyRecord of(
      ApiKey key, String workspace, String usageId, Instant now, @Nullable Instant expiresAt) {
    return new KeyRecord(key.id(), key.secretHash(), workspace, usageId, now, expiresAt, null);
  }

  /// Whether the key may be used. An expired item can stay in the table for days, so this is asked
  /// at each use.
  boolean isLive(Instant now) {
    return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
  }

  /// Whether the secret is this record's, in a time that tells nothing about either.
  boolean matches(ApiKey key) {
    return MessageDigest.isEqual(
        secretHash.asByteArrayUnsafe(), key.secretHash().asByteArrayUnsafe());
  }

  Principal principal() {
    return new Principal(workspace, id, usageId);
  }

  static Map<String, AttributeValue> key(String id) {
    return itemKey("KEY#" + id);
  }

  static Map<String, AttributeValue> itemKey(String partition) {
    return Map.of("PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromS("0"));
  }

  static KeyRecord read(Map<String, AttributeValue> item) {
    return new KeyRecord(
        text(item, "PK").substring("KEY#".length()),
        required(item, "secret_hash").b(),
        text(item, "workspace"),
        text(item, "usage_id"),
        Instant.ofEpochSecond(Long.parseLong(required(item, "created_at").n())),
        time(item, "expires_at"),
        time(item, "revoked_at"));
  }

  Map<String, AttributeValue> item() {
    Map<String, AttributeValue> item = new HashMap<>(key(id));
    item.put("secret_hash", AttributeValue.fromB(secretHash));
    item.put("workspace", AttributeValue.fromS(workspace));
    item.put("usage_id", AttributeValue.fromS(usageId));
    item.put("created_at", seconds(createdAt));
    if (expiresAt != null) {
      item.put("expires_at", seconds(expiresAt));
    }
    if (revokedAt != null) {
      item.put("revoked_at", seconds(revokedAt));
    }
    return item;
  }

  static AttributeValue seconds(Instant time) {
    return AttributeValue.fromN(Long.toString(time.getEpochSecond()));
  }

  private static @Nullable Instant time(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? null : Instant.ofEpochSecond(Long.parseLong(value.n()));
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return required(item, name).s();
  }

  private static AttributeValue required(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    if (value == null) {
      throw new IllegalStateException("The key record has no " + name);
    }
    return value;
  }
}
