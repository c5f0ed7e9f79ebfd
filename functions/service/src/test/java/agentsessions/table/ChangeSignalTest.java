package agentsessions.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A watch is woken by the writes that it is for, and by no others.
@Timeout(60)
class ChangeSignalTest {
  private static final Duration FOR_EVER = Duration.ofDays(1);
  private static final SessionKey SESSION =
      new SessionKey(new Workspace("w"), new SessionId(new UUID(0, 1)));
  private static final Layout.Key ONE = Layout.meta(SESSION);
  private static final Layout.Key OTHER = Layout.sandboxLock(SESSION);
  private static final Layout.Key ELSEWHERE =
      Layout.meta(new SessionKey(new Workspace("w"), new SessionId(new UUID(0, 2))));

  private final ChangeSignal signal = new ChangeSignal(true);

  @Test
  void aWaitEndsWhenWhatIsWatchedIsWritten() {
    try (ChangeSignal.Watch watch = signal.watch(SESSION, ONE::equals)) {
      Thread.ofVirtual().start(() -> signal.written(List.of(OTHER, ONE)));
      assertTrue(watch.await(FOR_EVER));
    }
  }

  @Test
  void whatWasWrittenSinceTheWatchBeganIsHeardOnce() {
    signal.written(List.of(ONE));
    try (ChangeSignal.Watch watch = signal.watch(SESSION, ONE::equals)) {
      assertFalse(watch.await(Duration.ZERO));
      signal.written(List.of(ONE));
      signal.written(List.of(ONE));
      assertTrue(watch.await(Duration.ZERO));
      assertFalse(watch.await(Duration.ZERO));
    }
  }

  @Test
  void nobodyHearsOfWhatIsNotWatched() {
    try (ChangeSignal.Watch watch = signal.watch(SESSION, ONE::equals)) {
      signal.written(List.of(OTHER, ELSEWHERE));
      assertFalse(watch.await(Duration.ZERO));
    }
  }

  /// A turn's task and the lock of its sandbox are written more often than the turn, and its usage
  /// in the lock is read anew with every other change.
  @Test
  void whoFollowsASessionIsNotWokenByWhatIsForRunnersAlone() {
    try (ChangeSignal.Watch watch = signal.watch(SESSION)) {
      signal.written(List.of(OTHER));
      signal.written(List.of(Layout.task(SESSION.turn(new TurnId(new UUID(0, 3))))));
      assertFalse(watch.await(Duration.ZERO));
      signal.written(List.of(OTHER, ONE));
      assertTrue(watch.await(Duration.ZERO));
    }
  }

  @Test
  void allWhoWatchAreWokenAndWhoHasGoneIsForgotten() {
    ChangeSignal.Watch first = signal.watch(SESSION);
    try (ChangeSignal.Watch second = signal.watch(SESSION, ONE::equals)) {
      signal.written(List.of(ONE));
      assertTrue(first.await(Duration.ZERO));
      first.close();
      signal.written(List.of(ONE));
      assertFalse(first.await(Duration.ZERO));
      assertTrue(second.await(Duration.ZERO));
    }
  }

  @Test
  void aWriteChangesTheVersionForAllWhoWatchAndNoVersionComesTwice() {
    long before;
    try (ChangeSignal.Watch first = signal.watch(SESSION);
        ChangeSignal.Watch second = signal.watch(SESSION, ONE::equals)) {
      before = first.version();
      assertEquals(before, second.version());
      signal.written(List.of(ELSEWHERE));
      assertEquals(before, first.version());
      signal.written(List.of(OTHER));
      assertNotEquals(before, first.version());
      assertEquals(first.version(), second.version());
    }
    try (ChangeSignal.Watch later = signal.watch(SESSION)) {
      assertTrue(later.version() > before + 1);
    }
  }

  @Test
  void nobodyWaitsOnceTheProcessEnds() {
    try (ChangeSignal.Watch watch = signal.watch(SESSION, ONE::equals)) {
      Thread.ofVirtual().start(signal::close);
      assertFalse(watch.await(FOR_EVER));
      assertFalse(watch.await(FOR_EVER));
    }
  }

  @Test
  void waitingIsWorthNothingWhereOthersWrite() {
    assertEquals(Duration.ZERO, new ChangeSignal(false).longestWait());
    assertTrue(signal.longestWait().isPositive());
  }
}
