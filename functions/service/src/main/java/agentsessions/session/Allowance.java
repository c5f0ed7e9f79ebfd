package agentsessions.session;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What all turns of a workspace may cost together, in micro-dollars, by the calendar in UTC; null:
/// any amount.
public record Allowance(@Nullable Long perMonth, @Nullable Long perDay) {
  public static final Allowance ANY = new Allowance(null, null);

  /// The first ceiling that is reached.
  ///
  /// @param month what was spent in the month so far
  /// @param day what of it was spent today
  public Optional<Ceiling> reached(long month, long day) {
    return ceiling(Ceiling.Scope.MONTH, perMonth, month)
        .or(() -> ceiling(Ceiling.Scope.DAY, perDay, day));
  }

  private static Optional<Ceiling> ceiling(Ceiling.Scope scope, @Nullable Long most, long spent) {
    return most == null
        ? Optional.empty()
        : Optional.of(new Ceiling(scope, Ceiling.Unit.MICRO_DOLLARS, most, spent))
            .filter(Ceiling::isReached);
  }
}
