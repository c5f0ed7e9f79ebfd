package agentsessions.authorizer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The record of a key in the table, as the item `KEY#{id}` / `0`: never the secret, only its
/// SHA-256. `usageId` is the random name under which the usage plan counts the key. Times are whole
/// seconds, but for when it was made, which is to the millisecond, so that keys of one second have
/// an order.
///
/// An ended key is remembered for 30 days: `expires_at` in the item is when the table may forget
/// it, `ends_at` when the key ends by itself.
///
/// @param secretHash in Base64, as DynamoDB sends bytes
/// @param lastUsedAt the hour in which it was last used, or somewhat after it
public record KeyRecord(
    String id,
    String secretHash,
    String workspace,
    String usageId,
    Grant grant,
    Instant createdAt,
    @Nullable Instant revokedAt,
    @Nullable Instant lastUsedAt) {
  static final String LAST_USED = "last_used_at";
  static final String CREATED_MILLIS = "created_millis";
  static final Duration REMEMBERED = Duration.ofDays(30);

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

  /// Whether the key may change the workspace's keys.
  boolean isAdministering(Instant now) {
    return isLive(now) && grant.scopes().contains(Scope.ADMIN);
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
        secretHash.getBytes(US_ASCII), key.secretHash().getBytes(US_ASCII));
  }

  Principal principal() {
    return new Principal(workspace, id, usageId, grant.scopes());
  }

  KeyRecord revoked(Instant now) {
    return new KeyRecord(id, secretHash, workspace, usageId, grant, createdAt, now, lastUsedAt);
  }

  /// The record of these attributes, each as text: numbers in digits, bytes in Base64.
  static KeyRecord read(Map<String, String> item) {
    return new KeyRecord(
        required(item, "PK").substring("KEY#".length()),
        required(item, "secret_hash"),
        required(item, "workspace"),
        required(item, "usage_id"),
        readGrant(item),
        Instant.ofEpochMilli(Long.parseLong(required(item, CREATED_MILLIS))),
        time(item, "revoked_at"),
        time(item, LAST_USED));
  }

  /// A record that names no scopes grants none.
  private static Grant readGrant(Map<String, String> item) {
    return new Grant(
        required(item, "name"),
        Scope.read(item.getOrDefault("scopes", "")),
        time(item, "ends_at"),
        item.containsKey("sign_in"),
        item.get("made_by"));
  }

  private static @Nullable Instant time(Map<String, String> item, String name) {
    String seconds = item.get(name);
    return seconds == null ? null : Instant.ofEpochSecond(Long.parseLong(seconds));
  }

  private static String required(Map<String, String> item, String name) {
    String value = item.get(name);
    if (value == null) {
      throw new IllegalStateException("The key record has no " + name);
    }
    return value;
  }
}
