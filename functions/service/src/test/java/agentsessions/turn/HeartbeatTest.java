package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.session.Turn;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The heartbeats of a long turn keep the execution alive that waits for it.
class HeartbeatTest {
  private static final Duration RENEWAL = Duration.ofSeconds(InMemoryAws.LEASE_SECONDS / 3);

  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws = InMemoryAws.of(clock);

  @Test
  void aTurnOf130MinutesBeats130Times() {
    Turn turn = claimed();
    List<Long> beats = new ArrayList<>();
    for (int renewal = 0; renewal < 520; renewal++) {
      clock.pass(RENEWAL);
      Turn seen = aws.turns().load(turn.key()).orElseThrow();
      assertTrue(aws.claims().renew(seen, Optional.empty()));
      if (aws.claims().isNewMinute(seen)) {
        beats.add(clock.millis());
      }
    }
    assertEquals(130, beats.size());
    for (int beat = 1; beat < beats.size(); beat++) {
      assertEquals(60_000, beats.get(beat) - beats.get(beat - 1));
    }
  }

  private Turn claimed() {
    Turn turn = aws.accepted();
    assertTrue(aws.dispatches().recordLaunch(turn, "ticket", Duration.ofSeconds(45)));
    aws.claim(turn, "ticket", "claim", 1000, "token", Duration.ofHours(3));
    return turn;
  }
}
