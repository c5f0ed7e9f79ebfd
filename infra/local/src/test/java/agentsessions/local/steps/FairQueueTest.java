package agentsessions.local.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests of the queue's order.
class FairQueueTest {
  private final FairQueue<String> queue = new FairQueue<>();

  @Test
  void workspacesAreServedInTurnAndTheirTurnsInTheOrderOfArrival() {
    add("a", "a1", "a2", "a3");
    add("b", "b1", "b2");
    assertEquals(List.of("a1", "b1", "a2", "b2", "a3"), rest());
  }

  @Test
  void whoArrivesLateIsNext() {
    add("a", "a1", "a2", "a3");
    assertEquals(Optional.of("a1"), queue.next());
    add("b", "b1");
    add("c", "c1");
    assertEquals(List.of("b1", "c1", "a2", "a3"), rest());
  }

  @Test
  void whoComesBackWhileOthersWaitIsNotServedTwiceRunning() {
    add("a", "a1", "a2");
    add("b", "b1");
    assertEquals("a1", queue.next().orElseThrow());
    assertEquals("b1", queue.next().orElseThrow());
    add("b", "b2");
    assertEquals(List.of("a2", "b2"), rest());
  }

  @Test
  void whatIsRemovedIsNotServed() {
    add("a", "a1", "a2");
    queue.remove("a", "a1", "another");
    queue.remove("a", "a2", "a2");
    queue.remove("a", "a2", "a2");
    queue.remove("b", "b1", "b1");
    assertEquals(List.of("a1"), rest());
  }

  @Test
  void whatIsAddedForTheSameSessionHasThePlaceOfTheOneBefore() {
    add("a", "a1", "a2");
    assertEquals(Optional.of("a1"), queue.add("a", "a1", "again"));
    assertEquals(List.of("again", "a2"), rest());
  }

  /// So that a service that runs for years does not remember every workspace that it ever had.
  @Test
  void whoWasServedLongAgoIsAsOneThatWasNotServedYet() {
    add("a", "a1");
    assertEquals(List.of("a1"), rest());
    for (int other = 0; other < FairQueue.MOST_REMEMBERED; other++) {
      add("b" + other, "b");
    }
    assertEquals(FairQueue.MOST_REMEMBERED, rest().size());
    add("a", "a2");
    add("new", "n1");
    add("b0", "b1");
    assertEquals(List.of("a2", "n1", "b1"), rest());
  }

  private void add(String workspace, String... sessions) {
    Stream.of(sessions)
        .forEach(session -> assertEquals(Optional.empty(), queue.add(workspace, session, session)));
  }

  private List<String> rest() {
    return Stream.generate(queue::next).takeWhile(Optional::isPresent).map(Optional::get).toList();
  }
}
