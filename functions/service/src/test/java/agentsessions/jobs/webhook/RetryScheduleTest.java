package agentsessions.jobs.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {
  private static final double MIDDLE = 0.5;

  @Test
  void theTenRepeatsComeAsTheyAreDocumented() {
    assertEquals(
        List.of(5L, 30L, 300L, 1800L, 7200L, 18000L, 36000L, 50400L, 72000L, 86400L),
        IntStream.rangeClosed(1, 10)
            .mapToObj(tries -> RetrySchedule.after(tries, MIDDLE, Optional.empty()).orElseThrow())
            .map(Duration::toSeconds)
            .toList());
    assertTrue(RetrySchedule.after(11, MIDDLE, Optional.empty()).isEmpty());
  }

  @Test
  void eachVariesByAFifth() {
    assertEquals(Duration.ofSeconds(4), RetrySchedule.after(1, 0, Optional.empty()).orElseThrow());
    assertEquals(Duration.ofSeconds(6), RetrySchedule.after(1, 1, Optional.empty()).orElseThrow());
  }

  @Test
  void aReceiverMayAskForAnHourButNotForLess() {
    Duration asked = Duration.ofMinutes(2);
    assertEquals(asked, RetrySchedule.after(1, MIDDLE, Optional.of(asked)).orElseThrow());
    assertEquals(
        Duration.ofMinutes(5), RetrySchedule.after(3, MIDDLE, Optional.of(asked)).orElseThrow());
    assertEquals(
        Duration.ofHours(1),
        RetrySchedule.after(1, MIDDLE, Optional.of(Duration.ofDays(9))).orElseThrow());
  }

  @Test
  void aWebhookAsAWholeIsNeverGivenUpByNumber() {
    assertEquals(Duration.ofHours(24), RetrySchedule.ofEndpoint(99, MIDDLE, Optional.empty()));
    assertFalse(RetrySchedule.ofEndpoint(1, MIDDLE, Optional.empty()).isZero());
  }
}
