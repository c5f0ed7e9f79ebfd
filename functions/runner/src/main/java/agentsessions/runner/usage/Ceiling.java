package agentsessions.runner.usage;

import java.math.BigDecimal;
import java.util.Locale;

/// A limit on the usage of a turn, or of all turns of its session.
///
/// @param used the usage of the session's earlier turns; 0 for a ceiling of the turn
public record Ceiling(Scope scope, Unit unit, long limit, long used) {
  private static final int MICRO = 6;
  private static final int MILLI = 3;

  /// The scope of a ceiling.
  public enum Scope {
    TURN,
    SESSION
  }

  /// The unit that is counted.
  public enum Unit {
    MICRO_DOLLARS,
    TOKENS,
    REQUESTS,
    MILLISECONDS
  }

  boolean isReached(long byTurn) {
    return used + byTurn >= limit;
  }

  /// The sentence that names the ceiling and the usage.
  String sentence(long byTurn) {
    return "The %s's ceiling of %s is reached; used: %s."
        .formatted(
            scope.name().toLowerCase(Locale.ROOT), amount(limit) + words(), amount(used + byTurn));
  }

  private String amount(long number) {
    return switch (unit) {
      case MICRO_DOLLARS -> "$" + plain(BigDecimal.valueOf(number, MICRO));
      case TOKENS, REQUESTS -> "%,d".formatted(number);
      case MILLISECONDS -> plain(BigDecimal.valueOf(number, MILLI));
    };
  }

  private String words() {
    return switch (unit) {
      case MICRO_DOLLARS -> "";
      case TOKENS -> " tokens";
      case REQUESTS -> " model requests";
      case MILLISECONDS -> " seconds";
    };
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
