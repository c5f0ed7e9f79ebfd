package agentsessions.session.id;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// A moment in microseconds since 1970. Stamps of the messages of one session increase strictly, so
/// they order its history and serve as cursors.
///
/// Why: decision 003.
public record Stamp(long micros) implements Comparable<Stamp> {
  private static final int DIGITS = 16;

  public static final Stamp ZERO = new Stamp(0);

  /// The last stamp that 16 digits can write (the year 2286).
  public static final Stamp MAX = new Stamp(9_999_999_999_999_999L);

  public static Stamp of(Instant instant) {
    return new Stamp(ChronoUnit.MICROS.between(Instant.EPOCH, instant));
  }

  /// Epoch seconds, floored to a microsecond and kept within what a stamp can be.
  public static Stamp ofEpochSeconds(BigDecimal seconds) {
    BigDecimal micros = seconds.movePointRight(6).setScale(0, RoundingMode.FLOOR);
    return new Stamp(micros.max(BigDecimal.ZERO).min(BigDecimal.valueOf(MAX.micros)).longValue());
  }

  /// Now, or just after `last` where the clock has not passed it.
  public static Stamp after(Stamp last, Instant now) {
    return new Stamp(Math.max(of(now).micros, last.micros + 1));
  }

  public Stamp plusMicros(long more) {
    return new Stamp(micros + more);
  }

  public Instant instant() {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /// Epoch seconds with six decimals, as the API shows it.
  public BigDecimal epochSeconds() {
    return BigDecimal.valueOf(micros, 6);
  }

  /// Sixteen digits, so that text order is time order.
  public String digits() {
    String digits = Long.toString(micros);
    return "0".repeat(Math.max(0, DIGITS - digits.length())) + digits;
  }

  @Override
  public int compareTo(Stamp other) {
    return Long.compare(micros, other.micros);
  }
}
