package agentsessions.authorizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

final class KeysTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private WireDynamoDb wire;
  private Keys keys;

  @BeforeEach
  void start() throws IOException {
    wire = new WireDynamoDb();
    keys = new Keys(wire.client, "table", Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @AfterEach
  void stop() {
    wire.close();
  }

  @Test
  void aNewKeyIsWrittenInOneTransactionWithTheSetThatCountsIt() {
    ApiKey key = keys.create("acme", null).orElseThrow();
    JsonNode items = last().path("TransactItems");
    JsonNode set = items.at("/0/Update");
    assertEquals("W#acme#KEYS", set.at("/Key/PK/S").asText());
    assertEquals(
        "attribute_not_exists(ids) OR size(ids) < :cap", set.path("ConditionExpression").asText());
    assertEquals("5", set.at("/ExpressionAttributeValues/:cap/N").asText());
    assertEquals("KEY#" + key.id(), items.at("/1/Put/Item/PK/S").asText());
  }

  @Test
  void neitherTheSecretNorTheTextIsWritten() {
    ApiKey key = keys.create("acme", null).orElseThrow();
    assertFalse(wire.requests.toString().contains(key.secret()));
  }

  @Test
  void theSixthKeyIsRefused() {
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    wire.answers.add(WireDynamoDb.Answer.cancelled("ConditionalCheckFailed", "None"));
    assertEquals(Optional.empty(), keys.create("acme", null));
  }

  @Test
  void aTransactionInTheWayIsWaitedFor() {
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    wire.answers.add(WireDynamoDb.Answer.cancelled("TransactionConflict", "None"));
    assertTrue(keys.create("acme", null).isPresent());
  }

  @Test
  void aTransactionInTheWayForEverIsAnError() {
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    wire.answers.add(new WireDynamoDb.Answer(200, "{}"));
    for (int i = 0; i < 8; i++) {
      wire.answers.add(WireDynamoDb.Answer.cancelled("TransactionConflict", "None"));
    }
    assertThrows(TransactionCanceledException.class, () -> keys.create("acme", null));
  }

  @Test
  void theListHasTheLiveKeysOldestFirst() throws IOException {
    wire.hold("W#acme#KEYS", "{\"ids\":{\"SS\":[\"new\",\"gone\",\"old\",\"expired\"]}}");
    wire.hold(record("new", NOW.minusSeconds(1), NOW.plusSeconds(1)));
    wire.hold(record("old", NOW.minusSeconds(2), null));
    wire.hold(record("expired", NOW.minusSeconds(3), NOW));
    assertEquals(List.of("old", "new"), keys.list("acme").stream().map(KeyRecord::id).toList());
  }

  @Test
  void anExpiredKeyMakesRoomForANewOne() throws IOException {
    wire.hold("W#acme#KEYS", "{\"ids\":{\"SS\":[\"live\",\"expired\"]}}");
    wire.hold(record("live", NOW.minusSeconds(3), null));
    wire.hold(record("expired", NOW.minusSeconds(3), NOW));
    keys.create("acme", null);
    JsonNode forget = wire.requests.get(wire.requests.size() - 2).at("/TransactItems/0/Update");
    assertEquals("DELETE ids :ids", forget.path("UpdateExpression").asText());
    assertEquals("[\"expired\"]", forget.at("/ExpressionAttributeValues/:ids/SS").toString());
  }

  @Test
  void aKeyIsRevokedInItsOwnWorkspaceOnly() {
    assertTrue(keys.revoke("acme", "id"));
    JsonNode end = last().at("/TransactItems/1/Update");
    assertEquals("workspace = :workspace", end.path("ConditionExpression").asText());
    wire.answers.add(WireDynamoDb.Answer.cancelled("None", "ConditionalCheckFailed"));
    assertFalse(keys.revoke("other", "id"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a b", "a#b", "a/b", "ä", "a\n"})
  void aWorkspaceOfAnotherNameIsRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> keys.create(name, null));
    assertTrue(wire.requests.isEmpty());
  }

  private JsonNode last() {
    return wire.requests.getLast();
  }

  private static KeyRecord record(String id, Instant createdAt, @Nullable Instant expiresAt) {
    return new KeyRecord(
        id, ApiKey.create().secretHash(), "acme", "usage", createdAt, expiresAt, null);
  }
}
