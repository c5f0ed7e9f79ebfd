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
  private static final Schema ITEM = new Schema();
  private static final Attribute<String> STATUS = ITEM.attribute("status", AttributeFormat.TEXT);
  private static final Attribute<Instant> FIRST = ITEM.attribute("first", AttributeFormat.INSTANT);
  private static final Attribute<Integer> N = ITEM.attribute("n", AttributeFormat.COUNT);
  private static final Attribute<Long> A = ITEM.attribute("a", AttributeFormat.NUMBER);
  private static final Attribute<Long> B = ITEM.attribute("b", AttributeFormat.NUMBER);
  private static final Attribute<Long> X = ITEM.attribute("x", AttributeFormat.NUMBER);

  private final InMemoryTable memory = new InMemoryTable("t");
  private final Table table = new Table(memory, "t", new ChangeSignal(true));

  @Test
  void anUpdateSaysJustWhatItNames() {
    Update update =
        ITEM.change(KEY)
            .set(STATUS, "new")
            .initially(FIRST, Instant.EPOCH)
            .notDue()
            .when("#status = :old")
            .when("#n < :n")
            .with("old", STATUS, "old")
            .with("n", N, 2)
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
  void noChangeNamesAnAttributeThatTheItemCannotHave() {
    Attribute<String> foreign = new Schema().attribute("foreign", AttributeFormat.TEXT);
    assertThrows(IllegalArgumentException.class, () -> ITEM.change(KEY).set(foreign, "1"));
    assertThrows(IllegalArgumentException.class, () -> ITEM.change(KEY).remove(foreign));
    Change mistyped = ITEM.change(KEY).set(A, 1L).when("#statu = :old").with("old", STATUS, "old");
    assertThrows(IllegalArgumentException.class, mistyped::update);
    assertThrows(IllegalArgumentException.class, mistyped::put);
    assertThrows(IllegalArgumentException.class, mistyped::delete);
  }

  @Test
  void anAttributeIsNamedOnce() {
    assertThrows(IllegalStateException.class, () -> ITEM.attribute("a", AttributeFormat.TEXT));
    assertThrows(
        IllegalStateException.class, () -> ITEM.attribute("due_at", AttributeFormat.NUMBER));
  }

  @Test
  void aPutMustMeetNothingUnlessItSaysOtherwise() {
    Put put = ITEM.change(KEY).set(A, 1L).put().item().put();
    assertEquals("attribute_not_exists(#PK)", put.conditionExpression());
    assertTrue(table.write(List.of(ITEM.change(KEY).set(A, 1L).put())).committed());
    assertFalse(table.write(List.of(ITEM.change(KEY).set(A, 2L).put())).committed());
    assertEquals(1L, table.item(KEY).orElseThrow().get(A));
  }

  @Test
  void anOverwriteReplacesWhateverIsThere() {
    table.write(List.of(ITEM.change(KEY).set(A, 1L).overwrite()));
    table.write(List.of(ITEM.change(KEY).set(B, 2L).overwrite()));
    assertFalse(table.item(KEY).orElseThrow().has(A));
    table.write(List.of(ITEM.change(KEY).delete()));
    assertTrue(table.item(KEY).isEmpty());
  }

  @Test
  void aRefusalShowsWhatItMetAndNothingElseIsWritten() {
    Layout.Key other = new Layout.Key("P", "T");
    table.write(List.of(ITEM.change(KEY).set(A, 1L).put()));
    Table.Outcome outcome =
        table.write(
            List.of(
                ITEM.change(other).set(A, 1L).put(),
                ITEM.change(KEY).set(A, 2L).when("#a < :one").with("one", A, 1L).update()));
    Table.Outcome.Refused refused = (Table.Outcome.Refused) outcome;
    assertTrue(refused.old(0).isEmpty());
    assertEquals(1L, refused.old(1).orElseThrow().get(A));
    assertTrue(table.item(other).isEmpty());
  }

  @Test
  void aWriteByItselfIsRefusedAsOneInATransactionIs() {
    assertTrue(table.write(ITEM.change(KEY).set(A, 1L).put()).committed());
    assertTrue(table.write(counted(2)).committed());
    Table.Outcome.Refused refused = (Table.Outcome.Refused) table.write(counted(2));
    assertEquals(2L, refused.old(0).orElseThrow().get(A));
    Layout.Key nowhere = new Layout.Key("P", "T");
    Table.Outcome.Refused missed =
        (Table.Outcome.Refused)
            table.write(ITEM.change(nowhere).set(A, 1L).when("attribute_exists(#PK)").update());
    assertTrue(missed.old(0).isEmpty());
    assertTrue(table.item(nowhere).isEmpty());
  }

  private static Write counted(long next) {
    return ITEM.change(KEY).set(A, next).when("#a < :next").with("next", A, next).update();
  }

  @Test
  void conditionsMeanWhatTheyMeanToDynamoDb() {
    table.write(List.of(ITEM.change(KEY).set(A, 9L).put()));
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
        () -> table.write(List.of(ITEM.change(KEY).with("unused", A, 1L).set(A, 1L).update())));
    assertThrows(
        AssertionError.class,
        () -> table.write(List.of(ITEM.change(KEY).delete(), ITEM.change(KEY).delete())));
  }

  private boolean holds(String condition, long value) {
    return table
        .write(List.of(ITEM.change(KEY).set(X, 1L).when(condition).with("v", A, value).update()))
        .committed();
  }
}
