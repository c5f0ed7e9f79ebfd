package agentsessions.local.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Tests of the connection limit: which connections are kept and which are closed.
class ConnectionLimitTest {
  private long now;
  private final List<String> closed = new ArrayList<>();
  private final ConnectionLimit connections =
      new ConnectionLimit(3, Duration.ofSeconds(10), Duration.ofSeconds(60), () -> now);

  @Test
  void whoWaitsLongestGoesWhenOneMoreComes() {
    came("a", "b", "c", "d", "e");
    assertEquals(List.of("a", "b"), closed);
    assertEquals(3, connections.count());
  }

  @Test
  void aKeyKeepsAPlaceAsLongAsThereAreStrangers() {
    List<Closeable> first = came("a");
    connections.know(first.getFirst());
    came("b", "c", "d", "e");
    assertEquals(List.of("b", "c"), closed);
  }

  /// Otherwise new connections that come at the same time would displace each other.
  @Test
  void aFifthOfThePlacesIsForThoseWhoHaveYetToShowAKey() {
    ConnectionLimit ten =
        new ConnectionLimit(10, Duration.ofSeconds(10), Duration.ofSeconds(60), () -> now);
    came(ten, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j").forEach(ten::know);
    came(ten, "k", "l");
    assertEquals(List.of("a", "b"), closed);
    came(ten, "m");
    assertEquals(List.of("a", "b", "k"), closed);
  }

  @Test
  void whoGoesOnIsNotLate() {
    Closeable sender = came("a").getFirst();
    connections.know(sender);
    now += TimeUnit.SECONDS.toNanos(59);
    connections.moved(sender);
    now += TimeUnit.SECONDS.toNanos(59);
    connections.tidy();
    assertEquals(List.of(), closed);
    came("b", "c").forEach(connections::moved); // who has no key, does not gain by it
    now += TimeUnit.SECONDS.toNanos(11);
    connections.tidy();
    assertEquals(List.of("b", "c", "a"), closed);
  }

  @Test
  void whoIsBeingAnsweredIsNeverClosed() {
    came("a", "b", "c").forEach(connections::answering);
    List<Closeable> last = came("d");
    assertEquals(List.of("d"), closed);
    connections.closed(last.getFirst());
    now += TimeUnit.MINUTES.toNanos(5);
    connections.tidy();
    assertEquals(List.of("d"), closed);
  }

  @Test
  void aStrangerHasTenSecondsToAskAndAnAcquaintanceAMinute() {
    List<Closeable> both = came("a", "b");
    connections.know(both.getFirst());
    connections.answering(both.getFirst());
    connections.waiting(both.getFirst());
    now += TimeUnit.SECONDS.toNanos(11);
    connections.tidy();
    assertEquals(List.of("b"), closed);
    now += TimeUnit.SECONDS.toNanos(50);
    connections.tidy();
    assertEquals(List.of("b", "a"), closed);
  }

  @Test
  void whoWasClosedIsNotTakenForBusyLater() {
    Closeable first = came("a").getFirst();
    came("b", "c", "d");
    connections.answering(first);
    assertEquals(3, connections.count());
  }

  private List<Closeable> came(String... names) {
    return came(connections, names);
  }

  private List<Closeable> came(ConnectionLimit connections, String... names) {
    List<Closeable> all = new ArrayList<>();
    for (String name : names) {
      Closeable guest = () -> closed.add(name);
      connections.opened(guest);
      all.add(guest);
    }
    return all;
  }
}
