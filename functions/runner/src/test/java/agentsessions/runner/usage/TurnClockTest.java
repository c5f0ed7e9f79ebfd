package agentsessions.runner.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.rule.Ceiling;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// The time of a turn, without that for which a person is waited for.
class TurnClockTest {
  private final AtomicLong now = new AtomicLong(5);
  private final TurnClock clock = new TurnClock(now::get);

  @Test
  void itStandsStillWhileACallIsHeld() {
    long begun = clock.nanos();
    now.addAndGet(10);
    clock.hold();
    assertEquals(10, clock.nanos() - begun);
    now.addAndGet(100);
    assertEquals(10, clock.nanos() - begun);
    assertEquals(Duration.ofNanos(100), clock.held());
    clock.resume();
    assertEquals(10, clock.nanos() - begun);
    now.addAndGet(1);
    clock.hold();
    now.addAndGet(100);
    clock.resume();
    assertEquals(11, clock.nanos() - begun);
    assertEquals(Duration.ofNanos(200), clock.held());
  }

  @Test
  void aCeilingOfTimeDoesNotCountHeldTime() {
    Ceiling seconds = new Ceiling(Ceiling.Scope.SESSION, Ceiling.Unit.MILLISECONDS, 10_000, 4_000);
    ModelBudget budget = ModelBudget.of(List.of(seconds), List.of(), 100, clock);
    clock.hold();
    now.addAndGet(Duration.ofHours(1).toNanos());
    assertEquals(Optional.empty(), budget.refusal());
    clock.resume();
    assertEquals(Optional.of(Duration.ofSeconds(6)), budget.time());
    now.addAndGet(Duration.ofSeconds(6).toNanos());
    assertEquals(Optional.of(Duration.ZERO), budget.time());
  }
}
