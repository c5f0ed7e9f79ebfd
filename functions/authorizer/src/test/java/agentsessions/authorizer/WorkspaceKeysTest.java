package agentsessions.authorizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The writes and lists of a workspace's keys, against DynamoDB's wire protocol on loopback.
final class WorkspaceKeysTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private WireDynamoDb wire;
  private WorkspaceKeys keys;

  @BeforeEach
  void start() throws IOException {
    wire = new WireDynamoDb();
    keys = new WorkspaceKeys(wire.client, "table", Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @AfterEach
  void stop() {
    wire.close();
  }

  @Test
  void aNewKeyIsWrittenInOneTransactionWithTheSetThatCountsIt() {
    ApiKey key = create("acme").orElseThrow();
    JsonNode items = last().path("TransactItems");
    JsonNode set = items.at("/0/Update");
    assertEquals("W#acme#KEYS", set.at("/Key/PK/S").asText());
    assertEquals(
        "attribute_not_exists(revision) OR revision = :seen",
        set.path("ConditionExpression").asText());
    assertEquals(
        "SET revision = :next, ids = :ids REMOVE ended", set.path("UpdateExpression").asText());
    assertEquals("KEY#" + key.id(), items.at("/1/Put/Item/PK/S").asText());
    assertEquals("read write", items.at("/1/Put/Item/scopes/S").asText());
  }

  @Test
  void neitherTheSecretNorTheTextIsWritten() {
    ApiKey key = create("acme").orElseThrow();
    assertFalse(wire.requests.toString().contains(key.secret()));
  }

  @Test
  void whoWasOvertakenDecidesAgain() {
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    wire.answers.add(WireDynamoDb.Answer.cancelled("ConditionalCheckFailed", "None"));
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    wire.answers.add(WireDynamoDb.Answer.cancelled("TransactionConflict", "None"));
    assertTrue(create("acme").isPresent());
    assertEquals(6, wire.requests.size());
  }

  @Test
  void theListHasLiveKeysAndThoseThatEndedLatelyNewestFirst() throws IOException {
    wire.hold(
        "W#acme#KEYS",
        "{\"ids\":{\"SS\":[\"new\",\"gone\",\"old\",\"expired\"]},\"ended\":{\"SS\":[\"forgotten\"]}}");
    wire.hold(record("new", NOW.minusSeconds(1), NOW.plusSeconds(1)));
    wire.hold(record("old", NOW.minusSeconds(3), null));
    wire.hold(record("expired", NOW.minusSeconds(2), NOW));
    wire.hold(record("forgotten", NOW.minusSeconds(4), NOW.minus(Duration.ofDays(31))));
    assertEquals(
        List.of("new", "expired", "old"), keys.list("acme").stream().map(KeyRecord::id).toList());
  }

  @Test
  void keysOfOneSecondAreListedNewestFirst() throws IOException {
    wire.hold("W#acme#KEYS", "{\"ids\":{\"SS\":[\"a\",\"b\",\"c\"]}}");
    wire.hold(record("b", NOW.plusMillis(1), null));
    wire.hold(record("c", NOW.plusMillis(3), null));
    wire.hold(record("a", NOW.plusMillis(2), null));
    assertEquals(List.of("c", "a", "b"), keys.list("acme").stream().map(KeyRecord::id).toList());
  }

  @Test
  void anEndedKeyIsForgottenByTheTableAfterThirtyDays() {
    Instant end = NOW.plus(Duration.ofDays(1));
    assertEquals(
        end.plus(Duration.ofDays(30)).getEpochSecond() + "",
        Objects.requireNonNull(new KeyItem(record("a", NOW, end)).item().get("expires_at")).n());
    assertEquals(
        NOW.plus(Duration.ofDays(30)).getEpochSecond() + "",
        Objects.requireNonNull(
                new KeyItem(record("a", NOW, end).revoked(NOW)).item().get("expires_at"))
            .n());
  }

  @Test
  void aKeyThatHasEndedMakesAndEndsNone() throws IOException {
    wire.hold("W#acme#KEYS", "{\"ids\":{\"SS\":[\"live\",\"revoked\",\"over\",\"reads\"]}}");
    wire.hold(record("live", NOW, NOW.plusSeconds(1)));
    wire.hold(record("revoked", NOW, null).revoked(NOW));
    wire.hold(record("over", NOW, NOW));
    wire.hold(
        KeyRecord.of(
            new ApiKey("reads", "secret"), "acme", "usage", grant(Scope.READ, Scope.DECIDE), NOW));
    for (String ended : List.of("revoked", "over", "reads", "nobody")) {
      assertThrows(KeyEnded.class, () -> keys.create("acme", grant(Scope.READ).madeBy(ended)));
      assertThrows(KeyEnded.class, () -> keys.revoke("acme", "live", ended));
    }
    assertTrue(wire.requests.stream().noneMatch(request -> request.has("TransactItems")));
    assertTrue(keys.create("acme", grant(Scope.READ).madeBy("live")).isPresent());
    assertEquals("live", last().at("/TransactItems/1/Put/Item/made_by/S").asText());
  }

  private static Grant grant(Scope... scopes) {
    return new Grant("a", Set.of(scopes), null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a b", "a#b", "a/b", "ä", "a\n"})
  void aWorkspaceOfAnotherNameIsRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> create(name));
    assertTrue(wire.requests.isEmpty());
  }

  private JsonNode last() {
    return wire.requests.getLast();
  }

  private Optional<ApiKey> create(String workspace) {
    return keys.create(workspace, new Grant("a", Set.of(Scope.WRITE, Scope.READ), null));
  }

  private static KeyRecord record(String id, Instant createdAt, @Nullable Instant expiresAt) {
    return new KeyRecord(
        id,
        ApiKey.create().secretHash(),
        "acme",
        "usage",
        new Grant("a", Scope.all(), expiresAt),
        createdAt,
        null,
        null);
  }
}
