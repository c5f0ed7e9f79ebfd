package agentsessions.rule;

import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.util.Locale;

/// A usage limit of a turn, a session or a workspace, with the usage so far.
public record Ceiling(Scope scope, Unit unit, long limit, long used) {
  private static final int MICRO = 6;
  private static final int MILLI = 3;

  /// The turns whose usage is added up.
  public enum Scope {
    TURN,
    SESSION,
    /// All turns of a workspace in one day; `MONTH` likewise in one month.
    DAY,
    MONTH;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The unit of `limit` and `used`.
  public enum Unit {
    MICRO_DOLLARS,
    TOKENS,
    REQUESTS,
    MILLISECONDS;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// This ceiling with `more` added to its usage.
  public Ceiling after(long more) {
    return new Ceiling(scope, unit, limit, used + more);
  }

  public boolean isReached() {
    return used >= limit;
  }

  /// Whether four fifths of the limit are used, which is when webhooks are warned.
  public boolean isNear() {
    return used >= limit - limit / 5;
  }

  /// A sentence for the client that names the limit and the usage so far.
  public String sentence() {
    return switch (unit) {
      case MICRO_DOLLARS -> sentence("$" + plain(limit, MICRO), "$" + plain(used, MICRO));
      case TOKENS -> sentence("%,d tokens".formatted(limit), "%,d".formatted(used));
      case REQUESTS -> sentence("%,d model requests".formatted(limit), "%,d".formatted(used));
      case MILLISECONDS -> sentence(plain(limit, MILLI) + " seconds", plain(used, MILLI));
    };
  }

  private String sentence(String most, String sum) {
    return switch (scope) {
      case TURN, SESSION ->
          "The %s's ceiling of %s is reached; used: %s.".formatted(scope.word(), most, sum);
      case DAY, MONTH ->
          "The workspace's ceiling of %s a %s is reached; used: %s."
              .formatted(most, scope.word(), sum);
    };
  }

  private static String plain(long number, int scale) {
    return number == 0
        ? "0"
        : BigDecimal.valueOf(number, scale).stripTrailingZeros().toPlainString();
  }
}
