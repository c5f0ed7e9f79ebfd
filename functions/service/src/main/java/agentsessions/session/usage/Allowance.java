package agentsessions.session.usage;

import java.util.ArrayList;
import java.util.List;
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
    return ceilings(month, day).stream().filter(Ceiling::isReached).findFirst();
  }

  /// Each, with what is spent of it.
  public List<Ceiling> ceilings(long month, long day) {
    List<Ceiling> all = new ArrayList<>();
    if (perMonth != null) {
      all.add(ceiling(Ceiling.Scope.MONTH, perMonth, month));
    }
    if (perDay != null) {
      all.add(ceiling(Ceiling.Scope.DAY, perDay, day));
    }
    return all;
  }

  private static Ceiling ceiling(Ceiling.Scope scope, long most, long spent) {
    return new Ceiling(scope, Ceiling.Unit.MICRO_DOLLARS, most, spent);
  }
}
