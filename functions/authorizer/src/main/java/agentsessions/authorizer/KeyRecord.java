package agentsessions.authorizer;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The record of a key in the table, as the item `KEY#{id}` / `0`: never the secret, only its
/// SHA-256. `usageId` is the random name under which the usage plan counts the key. Times are whole
/// seconds, but for when it was made, which is to the millisecond, so that keys of one second have
/// an order.
///
/// An ended key is remembered for 30 days: `expires_at` in the item is when the table may forget
/// it, `ends_at` when the key ends by itself.
///
/// @param lastUsedAt the hour in which it was last used, or somewhat after it
public record KeyRecord(
    String id,
    SdkBytes secretHash,
    String workspace,
    String usageId,
    Grant grant,
    Instant createdAt,
    @Nullable Instant revokedAt,
    @Nullable Instant lastUsedAt) {
  static final String LAST_USED = "last_used_at";
  private static final String CREATED_MILLIS = "created_millis";
  private static final Duration REMEMBERED = Duration.ofDays(30);

  static KeyRecord of(ApiKey key, String workspace, String usageId, Grant grant, Instant now) {
    return new KeyRecord(key.id(), key.secretHash(), workspace, usageId, grant, now, null, null);
  }

  /// Whether the key may be used. An expired item can stay in the table for days, so this is asked
  /// at each use.
  public boolean isLive(Instant now) {
    return revokedAt == null && !endsBy(now);
  }

  /// Whether the key can administer its workspace at that time, if it is not revoked before, and is
  /// not one of a sign-in.
  boolean administersAt(Instant time) {
    return revokedAt == null
        && !endsBy(time)
        && grant.scopes().contains(Scope.ADMIN)
        && !grant.isSignIn();
  }

  private boolean endsBy(Instant time) {
    Instant end = grant.expiresAt();
    return end != null && !time.isBefore(end);
  }

  /// When it ended; empty while it is live.
  Optional<Instant> ended(Instant now) {
    return isLive(now)
        ? Optional.empty()
        : Optional.ofNullable(revokedAt).or(() -> Optional.ofNullable(grant.expiresAt()));
  }

  /// Whether it ended so long ago that it is not listed any more.
  boolean isForgotten(Instant now) {
    return ended(now).filter(end -> end.plus(REMEMBERED).isBefore(now)).isPresent();
  }

  /// Whether the secret is this record's, compared in constant time.
  boolean matches(ApiKey key) {
    return MessageDigest.isEqual(
        secretHash.asByteArrayUnsafe(), key.secretHash().asByteArrayUnsafe());
  }

  Principal principal() {
    return new Principal(workspace, id, usageId, grant.scopes());
  }

  KeyRecord revoked(Instant now) {
    return new KeyRecord(id, secretHash, workspace, usageId, grant, createdAt, now, lastUsedAt);
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
        readGrant(item),
        Instant.ofEpochMilli(Long.parseLong(required(item, CREATED_MILLIS).n())),
        time(item, "revoked_at"),
        time(item, LAST_USED));
  }

  /// A record that names no scopes grants none.
  private static Grant readGrant(Map<String, AttributeValue> item) {
    AttributeValue scopes = item.get("scopes");
    return new Grant(
        text(item, "name"),
        Scope.read(scopes == null ? "" : scopes.s()),
        time(item, "ends_at"),
        item.containsKey("sign_in"));
  }

  Map<String, AttributeValue> item() {
    Map<String, AttributeValue> item = new HashMap<>(key(id));
    item.put("secret_hash", AttributeValue.fromB(secretHash));
    item.put("workspace", AttributeValue.fromS(workspace));
    item.put("usage_id", AttributeValue.fromS(usageId));
    item.put(CREATED_MILLIS, AttributeValue.fromN(Long.toString(createdAt.toEpochMilli())));
    item.put("scopes", AttributeValue.fromS(Scope.texts(grant.scopes())));
    item.put("name", AttributeValue.fromS(grant.name()));
    put(item, "sign_in", grant.isSignIn() ? AttributeValue.fromBool(true) : null);
    item.putAll(ends());
    put(item, LAST_USED, lastUsedAt == null ? null : seconds(lastUsedAt));
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
                .key(key(id))
                .updateExpression("SET " + String.join(", ", assignments))
                .conditionExpression("attribute_exists(PK)")
                .expressionAttributeValues(values))
        .build();
  }

  /// The attributes that say when it ends, or has.
  private Map<String, AttributeValue> ends() {
    Map<String, AttributeValue> ends = new HashMap<>();
    Instant end = revokedAt == null ? grant.expiresAt() : revokedAt;
    put(ends, "expires_at", end == null ? null : seconds(end.plus(REMEMBERED)));
    put(ends, "ends_at", grant.expiresAt() == null ? null : seconds(grant.expiresAt()));
    put(ends, "revoked_at", revokedAt == null ? null : seconds(revokedAt));
    return ends;
  }

  private static void put(
      Map<String, AttributeValue> item, String name, @Nullable AttributeValue value) {
    if (value != null) {
      item.put(name, value);
    }
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
