package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.store.message.History;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A client that follows a live transcript by stamps, over a table that shows transactions half
/// done, misses nothing and sees nothing twice.
class FollowingTest {
  private static final int PAGES = 10_000;
  private static final int LIMIT = 5;

  private final Random random = new Random(7);
  private final SettableClock clock = new SettableClock();
  private final TornTable torn = new TornTable(new InMemoryTable(InMemoryAws.TABLE), random);
  private final InMemoryAws aws =
      InMemoryAws.of(torn, new InMemoryBucket(), new NoMachine(), clock);

  static List<Set<MessageKind>> filters() {
    return List.of(
        EnumSet.of(MessageKind.USER, MessageKind.PROGRESS, MessageKind.FINAL),
        EnumSet.allOf(MessageKind.class),
        EnumSet.of(MessageKind.PROGRESS),
        EnumSet.of(MessageKind.TOOL_CALL));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void missesNothing(Set<MessageKind> kinds) {
    Turn turn = aws.claimed();
    torn.heal();
    List<Message> seen = new ArrayList<>();
    for (int page = 0; page < PAGES; page++) {
      if (random.nextInt(8) == 0) {
        append(turn);
      }
      seen.addAll(page(turn, kinds, last(seen), LIMIT));
    }
    torn.heal();
    seen.addAll(page(turn, kinds, last(seen), PAGES));
    assertEquals(page(turn, kinds, Stamp.ZERO, 10 * PAGES), seen);
  }

  private List<Message> page(Turn turn, Set<MessageKind> kinds, Stamp after, int limit) {
    Turn now = aws.turns().load(turn.key()).orElseThrow();
    History.Range range = new History.Range(kinds, after, now.lastStamp(), true, limit);
    return aws.history().messages(now, range);
  }

  private static Stamp last(List<Message> seen) {
    return seen.isEmpty() ? Stamp.ZERO : seen.getLast().stamp();
  }

  private void append(Turn turn) {
    Turn now = aws.turns().load(turn.key()).orElseThrow();
    List<TurnEvents.Event> events = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      MessageKind kind = random.nextBoolean() ? MessageKind.PROGRESS : MessageKind.TOOL_CALL;
      events.add(new TurnEvents.Event(kind, "text"));
    }
    clock.pass(Duration.ofMillis(1));
    assertEquals(
        now.counts().events() + events.size(),
        aws.events().append(now, now.counts().events(), events).orElse(-1));
  }
}
