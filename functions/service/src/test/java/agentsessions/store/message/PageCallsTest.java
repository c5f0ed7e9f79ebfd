package agentsessions.store.message;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.MeteredTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Ending;
import agentsessions.session.FollowUp;
import agentsessions.session.MessageKind;
import agentsessions.session.NewSession;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.testing.SettableClock;
import agentsessions.turn.TurnEvents;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The number of calls for a page by number: a few, however many turns there are and however large
/// they are.
class PageCallsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final int MOST_CALLS = 4;
  private static final int LIMIT = 100;
  private static final int BATCH = 40;

  /// Makes a turn as large as one with ten repositories.
  private static final String LARGE = "http://service/" + "x".repeat(8_000);

  private static final Set<MessageKind> ALL = EnumSet.allOf(MessageKind.class);

  private final SettableClock clock = new SettableClock();
  private final MeteredTable table = new MeteredTable(new InMemoryTable(InMemoryAws.TABLE));
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);

  static List<Set<MessageKind>> filters() {
    return List.of(
        ALL,
        EnumSet.of(MessageKind.USER, MessageKind.FINAL, MessageKind.PROGRESS),
        EnumSet.of(MessageKind.USER),
        EnumSet.of(MessageKind.FINAL),
        EnumSet.of(MessageKind.PROGRESS),
        EnumSet.of(MessageKind.TOOL_CALL));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aSessionOfAThousandLargeTurns(Set<MessageKind> kinds) {
    SessionKey key = talk(NumberedPages.MOST_TURNS);
    for (int page : new int[] {1, 3}) {
      assertFewCalls(() -> aws.pages().counted(key), kinds, page);
    }
  }

  @Test
  void oneTurnMoreIsTooMany() {
    SessionKey key = talk(NumberedPages.MOST_TURNS + 1);
    assertTrue(aws.pages().counted(key).orElseThrow().isTooLong(ALL));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aPageDeepInALongTurn(Set<MessageKind> kinds) {
    Turn turn = aws.claimed(create());
    for (int from = 0; from < 5_000; from += BATCH) {
      List<TurnEvents.Event> batch =
          IntStream.range(from, from + BATCH).mapToObj(this::event).toList();
      assertTrue(aws.events().append(load(turn), from, batch).isPresent());
    }
    for (int page : new int[] {1, 24, 49}) {
      assertFewCalls(() -> aws.pages().counted(turn.key().sessionKey()), kinds, page);
      assertFewCalls(() -> aws.pages().counted(turn.key()), kinds, page);
    }
  }

  private void assertFewCalls(
      Supplier<Optional<NumberedPages.Counted>> counted, Set<MessageKind> kinds, int page) {
    int _ = table.calls();
    NumberedPages.Page found =
        aws.pages()
            .page(
                counted.get().orElseThrow(),
                new NumberedPages.Wanted(kinds, true, (page - 1L) * LIMIT, (long) page * LIMIT))
            .orElseThrow();
    int calls = table.calls();
    assertTrue(calls <= MOST_CALLS, () -> calls + " calls for " + kinds + ", page " + page);
    assertEquals(
        Math.clamp(found.total() - (page - 1L) * LIMIT, 0, LIMIT), found.messages().size());
  }

  /// Creates a session with this many turns, every third of which has replied.
  private SessionKey talk(int turns) {
    Turn last = create();
    for (int turn = 2; turn <= turns; turn++) {
      if (turn % 3 == 0) {
        reply(last);
      }
      last = followUp(last.key().sessionKey());
    }
    return last.key().sessionKey();
  }

  private TurnEvents.Event event(int number) {
    MessageKind kind = number % 2 == 0 ? MessageKind.PROGRESS : MessageKind.TOOL_CALL;
    return new TurnEvents.Event(kind, "a line or two".repeat(80));
  }

  private void reply(Turn turn) {
    Turn mine = aws.claimed(turn);
    assertTrue(aws.events().append(mine, 0, List.of(event(0), event(1))).isPresent());
    assertTrue(aws.endings().end(load(mine), Ending.completed("done", List.of()), Plans.NONE));
    clock.pass(Duration.ofMinutes(2)); // the lease of its sandbox
  }

  private Turn create() {
    return accepted(aws.intake().create(WORKSPACE, NewSession.of("shell", "hi"), LARGE, null));
  }

  private Turn followUp(SessionKey key) {
    clock.pass(Duration.ofMillis(100));
    return accepted(aws.intake().followUp(key, FollowUp.of("more"), LARGE, null));
  }

  private Turn load(Turn turn) {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
