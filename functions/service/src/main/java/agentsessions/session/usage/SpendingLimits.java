package agentsessions.session.usage;

import agentsessions.rule.Ceiling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The spending limits of a workspace: the cost of all its turns in a calendar month and in a day
/// of UTC, in micro-dollars; null: no limit.
public record SpendingLimits(@Nullable Long perMonth, @Nullable Long perDay) {
  public static final SpendingLimits ANY = new SpendingLimits(null, null);

  /// The first limit that is reached.
  ///
  /// @param month the cost of the month so far, today included
  /// @param day the cost of today
  public Optional<Ceiling> reached(long month, long day) {
    return ceilings(month, day).stream().filter(Ceiling::isReached).findFirst();
  }

  /// Each limit, with the cost so far.
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
