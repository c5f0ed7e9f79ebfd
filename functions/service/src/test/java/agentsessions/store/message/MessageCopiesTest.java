package agentsessions.store.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Ending;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.testing.SettableClock;
import agentsessions.turn.TurnEvents;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages are kept twice, and read by either way as the same ones.
class MessageCopiesTest {
  private static final int BATCH = 90;
  private static final int MOST = 1_000;
  private static final Set<MessageKind> USUAL =
      EnumSet.of(MessageKind.USER, MessageKind.FINAL, MessageKind.PROGRESS);

  private final InMemoryAws aws =
      InMemoryAws.of(
          new InMemoryTable(InMemoryAws.TABLE),
          new InMemoryBucket(),
          new NoMachine(),
          new SettableClock());

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPageOfSeveralKindsIsThatOfEachKindMerged(boolean ascending) {
    Turn turn = ended(List.of(said("one"), called("two"), said("three"), called("four")));
    for (Set<MessageKind> kinds : List.of(USUAL, EnumSet.allOf(MessageKind.class))) {
      List<Message> merged = byKind(turn, kinds);
      for (int limit = 1; limit <= merged.size() + 1; limit++) {
        List<Message> expected = ascending ? merged : reversed(merged);
        assertEquals(
            expected.subList(0, Math.min(limit, merged.size())),
            page(turn, kinds, ascending, limit));
      }
    }
  }

  @Test
  void aLongTextIsWhole() {
    String text = "é".repeat(3_000);
    Turn turn = ended(List.of(said(text), said("short"), said("x".repeat(4_096))));
    assertEquals(byKind(turn, USUAL), page(turn, USUAL, true, MOST));
    assertEquals(text, aws.history().text(page(turn, USUAL, true, MOST).get(1)));
  }

  @Test
  void aBatchThatFitsNoTransactionIsRecordedOnce() {
    Turn turn = aws.claimed();
    List<TurnEvents.Event> batch =
        IntStream.range(0, BATCH).mapToObj(number -> said("text " + number)).toList();
    assertEquals(BATCH, aws.events().append(turn, 0, batch).orElseThrow());
    assertEquals(BATCH, aws.events().append(load(turn), 0, batch).orElseThrow());
    assertEquals(BATCH, load(turn).counts().progress());
    assertEquals(texts(batch), texts(turn));
  }

  @Test
  void theRestOfABatchIsRecordedWhenItIsSentAgain() {
    Turn turn = aws.claimed();
    List<TurnEvents.Event> batch = List.of(said("one"), called("two"), said("three"), said("four"));
    assertEquals(2, aws.events().append(turn, 0, batch.subList(0, 2)).orElseThrow());
    assertEquals(4, aws.events().append(load(turn), 0, batch).orElseThrow());
    assertEquals(texts(batch), texts(turn));
  }

  private Turn ended(List<TurnEvents.Event> events) {
    Turn turn = aws.claimed();
    assertTrue(aws.events().append(turn, 0, events).isPresent());
    assertTrue(aws.endings().end(load(turn), Ending.completed("done", List.of()), Plans.NONE));
    return load(turn);
  }

  private Turn load(Turn turn) {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  private List<Message> byKind(Turn turn, Set<MessageKind> kinds) {
    return kinds.stream()
        .flatMap(kind -> page(turn, EnumSet.of(kind), true, MOST).stream())
        .sorted(Comparator.comparing(Message::stamp))
        .toList();
  }

  private static List<Message> reversed(List<Message> messages) {
    List<Message> reversed = new ArrayList<>(messages);
    Collections.reverse(reversed);
    return reversed;
  }

  private List<Message> page(Turn turn, Set<MessageKind> kinds, boolean ascending, int limit) {
    Stamp last = load(turn).lastStamp();
    return aws.history()
        .messages(load(turn), new History.Range(kinds, Stamp.ZERO, last, ascending, limit));
  }

  /// The messages and tool calls of a turn's agent.
  private List<String> texts(Turn turn) {
    return page(turn, EnumSet.allOf(MessageKind.class), true, MOST).stream()
        .skip(1)
        .map(aws.history()::text)
        .toList();
  }

  private static List<String> texts(List<TurnEvents.Event> events) {
    return events.stream().map(TurnEvents.Event::text).toList();
  }

  private static TurnEvents.Event said(String text) {
    return new TurnEvents.Event(MessageKind.PROGRESS, text);
  }

  private static TurnEvents.Event called(String text) {
    return new TurnEvents.Event(MessageKind.TOOL_CALL, text);
  }
}
