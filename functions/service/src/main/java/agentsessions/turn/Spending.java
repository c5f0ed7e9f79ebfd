package agentsessions.turn;

import agentsessions.aws.Allowances;
import agentsessions.aws.Sessions;
import agentsessions.aws.Sums;
import agentsessions.session.Allowance;
import agentsessions.session.Ceiling;
import agentsessions.session.Spent;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.SortedMap;

/// Whether a workspace may spend more: what its turns cost that are settled, together with what
/// those that are not were last said to have used, held against what it allows itself. Where that
/// is any amount, nothing is read.
@Singleton
public final class Spending {
  private final Allowances allowances;
  private final Sums sums;
  private final Sessions sessions;
  private final Clock clock;

  public Spending(Allowances allowances, Sums sums, Sessions sessions, Clock clock) {
    this.allowances = allowances;
    this.sums = sums;
    this.sessions = sessions;
    this.clock = clock;
  }

  /// The ceiling that is reached.
  Optional<Ceiling> reached(Workspace workspace) {
    return reached(workspace, allowances.of(workspace));
  }

  /// The same where the allowance was read already.
  public Optional<Ceiling> reached(Workspace workspace, Allowance allowance) {
    if (allowance.equals(Allowance.ANY)) {
      return Optional.empty();
    }
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    SortedMap<LocalDate, Long> days = sums.spent(workspace, today.withDayOfMonth(1), today);
    long month = days.values().stream().mapToLong(each -> each).sum();
    long day = days.getOrDefault(today, 0L);
    return allowance.reached(month, day).or(() -> reached(workspace, allowance, month, day));
  }

  private Optional<Ceiling> reached(
      Workspace workspace, Allowance allowance, long month, long day) {
    long live =
        sessions.open(workspace).stream().mapToLong(usage -> Spent.of(usage).ceilingCost()).sum();
    return allowance.reached(month + live, day + live);
  }
}
