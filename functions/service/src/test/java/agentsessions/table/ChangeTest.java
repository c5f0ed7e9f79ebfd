package agentsessions.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryTable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.Update;

/// One conditional write in DynamoDB's words, and what the in-memory table makes of it.
class ChangeTest {
  private static final Layout.Key KEY = new Layout.Key("P", "S");

  private final InMemoryTable memory = new InMemoryTable("t");
  private final Table table = new Table(memory, "t", new ChangeSignal(true));

  @Test
  void anUpdateSaysJustWhatItNames() {
    Update update =
        Change.of(KEY)
            .set("status", "new")
            .initially("first", Instant.EPOCH)
            .remove("LIVE", "due_at")
            .when("#status = :old")
            .when("#n < :n")
            .with("old", "old")
            .with("n", 2)
            .update()
            .item()
            .update();
    assertEquals(
        "SET #status = :set_status, #first = if_not_exists(#first, :set_first) REMOVE #LIVE,"
            + " #due_at",
        update.updateExpression());
    assertEquals("#status = :old AND #n < :n", update.conditionExpression());
    assertEquals(
        Map.of(
            "#status", "status", "#first", "first", "#LIVE", "LIVE", "#due_at", "due_at", "#n",
            "n"),
        update.expressionAttributeNames());
    assertEquals(4, update.expressionAttributeValues().size());
  }

  @Test
  void aPutMustMeetNothingUnlessItSaysOtherwise() {
    Put put = Change.of(KEY).set("a", 1).put().item().put();
    assertEquals("attribute_not_exists(#PK)", put.conditionExpression());
    assertTrue(table.write(List.of(Change.of(KEY).set("a", 1).put())).committed());
    assertFalse(table.write(List.of(Change.of(KEY).set("a", 2).put())).committed());
    assertEquals(1, table.item(KEY).orElseThrow().number("a"));
  }

  @Test
  void anOverwriteReplacesWhateverIsThere() {
    table.write(List.of(Change.of(KEY).set("a", 1).overwrite()));
    table.write(List.of(Change.of(KEY).set("b", 2).overwrite()));
    assertFalse(table.item(KEY).orElseThrow().has("a"));
    table.write(List.of(Change.of(KEY).delete()));
    assertTrue(table.item(KEY).isEmpty());
  }

  @Test
  void aRefusalShowsWhatItMetAndNothingElseIsWritten() {
    Layout.Key other = new Layout.Key("P", "T");
    table.write(List.of(Change.of(KEY).set("a", 1).put()));
    Table.Outcome outcome =
        table.write(
            List.of(
                Change.of(other).set("a", 1).put(),
                Change.of(KEY).set("a", 2).when("#a < :one").with("one", 1).update()));
    Table.Outcome.Refused refused = (Table.Outcome.Refused) outcome;
    assertTrue(refused.old(0).isEmpty());
    assertEquals(1, refused.old(1).orElseThrow().number("a"));
    assertTrue(table.item(other).isEmpty());
  }

  @Test
  void aWriteByItselfIsRefusedAsOneInATransactionIs() {
    assertTrue(table.write(Change.of(KEY).set("a", 1).put()).committed());
    assertTrue(table.write(counted(2)).committed());
    Table.Outcome.Refused refused = (Table.Outcome.Refused) table.write(counted(2));
    assertEquals(2, refused.old(0).orElseThrow().number("a"));
    Layout.Key nowhere = new Layout.Key("P", "T");
    Table.Outcome.Refused missed =
        (Table.Outcome.Refused)
            table.write(Change.of(nowhere).set("a", 1).when("attribute_exists(#PK)").update());
    assertTrue(missed.old(0).isEmpty());
    assertTrue(table.item(nowhere).isEmpty());
  }

  private static Write counted(long next) {
    return Change.of(KEY).set("a", next).when("#a < :next").with("next", next).update();
  }

  @Test
  void conditionsMeanWhatTheyMeanToDynamoDb() {
    table.write(List.of(Change.of(KEY).set("a", 9).put()));
    assertTrue(holds("#a < :v", 10));
    assertFalse(holds("#a < :v", 9));
    assertTrue(holds("#a <= :v", 9));
    assertTrue(holds("#a > :v", 8));
    assertFalse(holds("#a > :v", 9));
    assertFalse(holds("#b > :v", 8));
    assertTrue(holds("#a IN (:v)", 9));
    assertFalse(holds("#b < :v", 9));
    assertFalse(holds("#b = :v", 9));
    assertTrue(holds("attribute_not_exists(#b) AND #a = :v", 9));
    assertTrue(holds("(attribute_not_exists(#a) OR #a < :v)", 10));
    assertFalse(holds("(attribute_not_exists(#a) OR #a < :v) AND attribute_exists(#b)", 10));
    assertTrue(holds("attribute_not_exists(#a) OR #a <= :v", 9));
  }

  @Test
  void theInMemoryTableRefusesWhatItDoesNotKnow() {
    for (String unknown :
        List.of(
            "#a >= :v",
            "#a <> :v",
            "NOT #a = :v",
            "size(#a) < :v",
            "a = :v",
            "#a = 1",
            "#a = :v OR",
            "")) {
      assertThrows(AssertionError.class, () -> holds(unknown + " AND #a < :v", 1));
    }
    assertThrows(
        AssertionError.class,
        () -> table.write(List.of(Change.of(KEY).with("unused", 1).set("a", 1).update())));
    assertThrows(
        AssertionError.class,
        () -> table.write(List.of(Change.of(KEY).delete(), Change.of(KEY).delete())));
  }

  private boolean holds(String condition, long value) {
    return table
        .write(List.of(Change.of(KEY).set("x", 1).when(condition).with("v", value).update()))
        .committed();
  }
}
