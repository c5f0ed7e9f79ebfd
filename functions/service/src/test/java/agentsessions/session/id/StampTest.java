package agentsessions.session.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class StampTest {
  private static final long MAX = 9_999_999_999_999_999L;

  @Property(seed = "1")
  void textOrderIsTimeOrder(
      @ForAll @LongRange(max = MAX) long one, @ForAll @LongRange(max = MAX) long other) {
    assertEquals(
        Integer.signum(new Stamp(one).compareTo(new Stamp(other))),
        Integer.signum(new Stamp(one).digits().compareTo(new Stamp(other).digits())));
  }

  @Property(seed = "1")
  void aStampSurvivesItsShownForm(@ForAll @LongRange(max = MAX) long micros) {
    Stamp stamp = new Stamp(micros);
    assertEquals(stamp, Stamp.ofEpochSeconds(stamp.epochSeconds()));
    assertEquals(stamp, Stamp.of(stamp.instant()));
  }

  /// Many clients read JSON numbers as doubles.
  @Property(seed = "1")
  void aStampOfOurTimeSurvivesADouble(
      @ForAll @LongRange(min = 1_700_000_000_000_000L, max = 4_000_000_000_000_000L) long micros) {
    double shown = new Stamp(micros).epochSeconds().doubleValue();
    BigDecimal read = new BigDecimal(Double.toString(shown));
    assertEquals(micros, read.movePointRight(6).setScale(0, RoundingMode.HALF_UP).longValue());
  }

  @Property(seed = "1")
  void theNextStampIsLaterWhateverTheClockSays(
      @ForAll @LongRange(max = MAX - 1) long last, @ForAll @LongRange(max = MAX) long now) {
    Stamp next = Stamp.after(new Stamp(last), new Stamp(now).instant());
    assertTrue(next.compareTo(new Stamp(last)) > 0);
    assertTrue(next.micros() >= now);
  }

  @Test
  void partsOfAMicrosecondAreCutOff() {
    assertEquals(new Stamp(1_000_001), Stamp.ofEpochSeconds(new BigDecimal("1.0000019")));
  }

  @Test
  void secondsBeyondWhatAStampCanBeAreTheLastStamp() {
    assertEquals(Stamp.MAX, Stamp.ofEpochSeconds(new BigDecimal("1e30")));
    assertEquals(Stamp.ZERO, Stamp.ofEpochSeconds(new BigDecimal("-1")));
  }

  @Test
  void aStampIsShownWithSixDecimals() {
    assertEquals(
        "1763745000.000000",
        Stamp.of(Instant.ofEpochSecond(1_763_745_000)).epochSeconds().toPlainString());
  }
}
