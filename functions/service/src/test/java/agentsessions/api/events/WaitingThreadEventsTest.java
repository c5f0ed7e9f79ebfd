package agentsessions.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.MeteredTable;
import agentsessions.session.Ending;
import agentsessions.session.Turn;
import agentsessions.store.event.SessionEvents;
import agentsessions.turn.TurnQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Events of a session with threads that wait for others: some begin, and some are cancelled before
/// they do.
class WaitingThreadEventsTest {
  /// More than are read together.
  private static final int MANY = 12;

  private static final List<String> COMPLETED =
      List.of("message.created", "message.created", "thread.completed");

  private final MeteredTable table = new MeteredTable(new InMemoryTable(InMemoryAws.TABLE));
  private final EventStory story = new EventStory(table);

  @Test
  void oneThatWasCancelledStopsNoEventsOfThoseAfterIt() {
    story.running("one");
    EventResponse before = story.page("", "0");
    cancel(story.queue("never"));
    end();
    Turn _ = story.completed("two", 0);
    assertEquals(times(2), story.durableTypes(""));
    List<String> rest = new ArrayList<>(times(2).subList(1, 6));
    rest.add("session.updated");
    assertEquals(rest, types(story.page(before.nextAfter(), "0")));
  }

  /// Ids of those that wait lie ahead, so that those of later turns come among them; or all before.
  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void howeverManyWereCancelledEachCursorGoesOnWithAllThatIsLeft(int seconds) {
    story.running("one");
    List<Turn> waiting = new ArrayList<>();
    for (int number = 0; number < MANY; number++) {
      waiting.add(story.queue("never " + number));
    }
    waiting.forEach(this::cancel);
    end();
    story.pass(Duration.ofSeconds(seconds));
    for (int number = 1; number < MANY; number++) {
      Turn _ = story.completed("more " + number, 0);
    }
    List<EventStory.StreamedEvent> all = EventStory.durable(story.stream(""));
    assertEquals(times(MANY), all.stream().map(EventStory.StreamedEvent::type).toList());
    for (int read = 1; read <= all.size(); read++) {
      assertEquals(
          all.subList(read, all.size()),
          EventStory.durable(story.stream(all.get(read - 1).id())),
          "after " + read);
    }
  }

  @Test
  void thoseThatWaitHideNoneThatHasBegun() {
    for (int number = 0; number < MANY; number++) {
      Turn _ = story.completed("done", 0);
    }
    story.running("now");
    for (int number = 0; number < MANY; number++) {
      Turn _ = story.queue("later");
    }
    List<String> all = new ArrayList<>(times(MANY));
    all.add("message.created");
    assertEquals(all, story.durableTypes(""));
  }

  @Test
  void theOwnStreamOfOneThatWasCancelledTellsItsEndAndIsOver() {
    story.running("one");
    Turn waiting = story.queue("never");
    String before = story.stream(waiting.id(), "");
    cancel(waiting);
    for (String after : List.of("", EventStory.lastId(before))) {
      String stream = story.stream(waiting.id(), after);
      assertEquals(List.of("thread.cancelled"), types(stream));
      assertTrue(stream.contains("{\"reason\":\"final\"}"), stream);
      String again = story.stream(waiting.id(), EventStory.lastId(stream));
      assertEquals(List.of(), types(again));
      assertTrue(again.contains("{\"reason\":\"final\"}"), again);
    }
  }

  @Test
  void theOwnStreamOfOneThatWaitsTellsSoOnceAndAwaitsAChange() {
    story.running("one");
    Turn waiting = story.queue("later");
    int _ = table.calls();
    String stream = story.stream(waiting.id(), "");
    assertEquals(1, table.calls());
    assertTrue(stream.contains("event: thread.queued\n"), stream);
    assertEquals(List.of(), types(stream));
    String again = story.stream(waiting.id(), EventStory.lastId(stream));
    assertFalse(again.contains("event: thread.queued\n"), again);
    SessionEvents.Seen seen =
        story
            .aws()
            .sessionEvents()
            .poll(waiting.key().sessionKey(), Optional.of(waiting.id()), Optional.empty())
            .orElseThrow();
    assertFalse(SessionEvents.isBehind(Optional.empty(), seen));
  }

  @Test
  void whenItBeginsItsMessageComes() {
    story.running("one");
    Turn waiting = story.queue("two");
    String after = EventStory.lastId(story.stream(waiting.id(), ""));
    String shown = story.cursorOfSnapshot(waiting.id());
    end();
    assertEquals(List.of("message.created"), types(story.stream(waiting.id(), after)));
    assertEquals(List.of("message.created"), types(story.stream(waiting.id(), shown)));
    List<String> all = new ArrayList<>(COMPLETED);
    all.add("message.created");
    assertEquals(all, story.durableTypes(""));
  }

  private void cancel(Turn waiting) {
    TurnQueue.Removal _ = story.aws().queue().remove(waiting.key());
  }

  private void end() {
    story.end(Ending.completed("the reply", List.of()));
  }

  private static List<String> times(int turns) {
    List<String> types = new ArrayList<>();
    for (int turn = 0; turn < turns; turn++) {
      types.addAll(COMPLETED);
    }
    return types;
  }

  private static List<String> types(EventResponse page) {
    return page.events().stream().map(EventResponse.Event::type).toList();
  }

  private static List<String> types(String stream) {
    return EventStory.durable(stream).stream().map(EventStory.StreamedEvent::type).toList();
  }
}
