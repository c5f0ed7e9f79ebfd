package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.events.EventStory;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.MeteredTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Ending;
import agentsessions.session.Message;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.store.session.Turns;
import agentsessions.table.item.TurnRow;
import agentsessions.testing.SettableClock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A short reply is kept with its turn as well, where the one read of a poll finds it.
class PolledReplyTest {
  private final InMemoryAws aws =
      InMemoryAws.of(
          new InMemoryTable(InMemoryAws.TABLE),
          new InMemoryBucket(),
          new NoMachine(),
          new SettableClock());

  @Test
  void aShortReplyIsFoundWithItsTurnAndIsTheMessage() {
    Turn turn = completed("é".repeat(TurnRow.REPLY_BYTES / 2));
    assertEquals(message(turn), found(turn).closing());
  }

  @Test
  void aLongerReplyIsAMessageOnly() {
    Turn turn = completed("é".repeat(TurnRow.REPLY_BYTES / 2) + "!");
    assertTrue(found(turn).closing().isEmpty());
    assertTrue(message(turn).isPresent());
  }

  @Test
  void aLiveTurnHasNone() {
    assertTrue(found(aws.claimed()).closing().isEmpty());
  }

  @Test
  void nothingIsFoundInADeletedSession() {
    Turn turn = completed("done");
    assertTrue(aws.endings().delete(turn.key().sessionKey()));
    assertTrue(aws.turns().find(turn.key()).isEmpty());
  }

  @Test
  void noTurnOfADeletedSessionIsFoundHoweverManyThereWere() {
    MeteredTable table = new MeteredTable(new InMemoryTable(InMemoryAws.TABLE));
    EventStory story = new EventStory(table);
    for (int number = 1; number <= Turns.MARKED + 1; number++) {
      Turn turn = story.completed("more", 0);
      int _ = table.calls();
      assertTrue(story.aws().turns().find(turn.key()).isPresent());
      assertEquals(number <= Turns.MARKED ? 1 : 2, table.calls(), "reads of turn " + number);
    }
    story.running("and one that is live");
    List<Turn> turns = story.turns();
    int _ = table.calls();
    assertTrue(story.aws().turns().find(turns.getLast().key()).isPresent());
    assertEquals(1, table.calls());
    story.delete();
    turns.forEach(turn -> assertTrue(story.aws().turns().find(turn.key()).isEmpty()));
  }

  private TurnRow found(Turn turn) {
    return aws.turns().find(turn.key()).orElseThrow();
  }

  private Optional<Message> message(Turn turn) {
    return aws.history().closing(turn);
  }

  private Turn completed(String reply) {
    Turn turn = aws.claimed();
    assertTrue(aws.endings().end(turn, Ending.completed(reply, List.of()), Plans.NONE));
    return load(turn);
  }

  private Turn load(Turn any) {
    return aws.turns().load(any.key()).orElseThrow();
  }
}
