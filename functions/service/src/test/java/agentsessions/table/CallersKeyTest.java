package agentsessions.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.authorizer.KeyEnded;
import agentsessions.aws.InMemoryTable;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// What is written in the name of a key.
class CallersKeyTest {
  private static final Layout.Key WRITTEN = new Layout.Key("written", "0");
  private static final Instant NOW = Instant.ofEpochSecond(1000);

  private final InMemoryTable memory = new InMemoryTable("t");
  private final Table table = new Table(memory, "t", new ChangeSignal(true));

  @ParameterizedTest
  @CsvSource({",", ", 1001"})
  void whileItIsLive(@Nullable Long revokedAt, @Nullable Long endsAt) {
    key(revokedAt, endsAt);
    assertTrue(write().committed());
    assertTrue(memory.contents().containsKey(new InMemoryTable.Key("written", "0")));
  }

  @ParameterizedTest
  @CsvSource({"999,", "999, 1001", ", 1000", ", 999"})
  void andNothingAfterItsEnd(@Nullable Long revokedAt, @Nullable Long endsAt) {
    key(revokedAt, endsAt);
    assertThrows(KeyEnded.class, this::write);
    assertEquals(1, memory.contents().size());
  }

  @Test
  void whatIsWrittenInNobodysNameAsksForNoKey() {
    assertTrue(table.write(Change.of(WRITTEN).overwrite()).committed());
  }

  private Table.Outcome write() {
    return new CallersKey("id", NOW).during(() -> table.write(Change.of(WRITTEN).overwrite()));
  }

  private void key(@Nullable Long revokedAt, @Nullable Long endsAt) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("PK", AttributeValue.fromS("KEY#id"));
    item.put("SK", AttributeValue.fromS("0"));
    put(item, "revoked_at", revokedAt);
    put(item, "ends_at", endsAt);
    memory.contents().put(InMemoryTable.key(item), item);
  }

  private static void put(Map<String, AttributeValue> item, String name, @Nullable Long seconds) {
    if (seconds != null) {
      item.put(name, AttributeValue.fromN(seconds.toString()));
    }
  }
}
