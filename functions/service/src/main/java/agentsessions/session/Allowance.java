package agentsessions.session;

import java.util.Optional;
import java.util.stream.Stream;
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
    return Stream.concat(
            ceiling(Ceiling.Scope.MONTH, perMonth, month), ceiling(Ceiling.Scope.DAY, perDay, day))
        .filter(Ceiling::isReached)
        .findFirst();
  }

  private static Stream<Ceiling> ceiling(Ceiling.Scope scope, @Nullable Long most, long spent) {
    return Stream.ofNullable(most)
        .map(limit -> new Ceiling(scope, Ceiling.Unit.MICRO_DOLLARS, limit, spent));
  }
}
