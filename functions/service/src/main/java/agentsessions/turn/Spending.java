package agentsessions.turn;

import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Allowance;
import agentsessions.session.usage.Ceiling;
import agentsessions.session.usage.Spent;
import agentsessions.store.session.Sessions;
import agentsessions.store.usage.Allowances;
import agentsessions.store.usage.Sums;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// The check of a workspace's spending: the cost of its settled turns, together with the last
/// reported usage of the others, is held against its spending limits. Where it has none, nothing
/// else is read.
///
/// Why: decision 014.
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

  /// The limit that is reached.
  Optional<Ceiling> reached(Workspace workspace) {
    return reached(workspace, allowances.of(workspace));
  }

  /// The same where the limits were read already.
  public Optional<Ceiling> reached(Workspace workspace, Allowance allowance) {
    if (allowance.equals(Allowance.ANY)) {
      return Optional.empty();
    }
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    SortedMap<LocalDate, Long> days = spent(workspace, today);
    long month = sum(days);
    long day = days.getOrDefault(today, 0L);
    return allowance.reached(month, day).or(() -> reached(workspace, allowance, month, day));
  }

  /// The limits of a workspace with the cost of its settled turns; none where it has no limits.
  List<Ceiling> settled(Workspace workspace, LocalDate today) {
    Allowance allowance = allowances.of(workspace);
    if (allowance.equals(Allowance.ANY)) {
      return List.of();
    }
    SortedMap<LocalDate, Long> days = spent(workspace, today);
    return allowance.ceilings(sum(days), days.getOrDefault(today, 0L));
  }

  private SortedMap<LocalDate, Long> spent(Workspace workspace, LocalDate today) {
    return sums.spent(workspace, today.withDayOfMonth(1), today);
  }

  private static long sum(SortedMap<LocalDate, Long> days) {
    return days.values().stream().mapToLong(each -> each).sum();
  }

  private Optional<Ceiling> reached(
      Workspace workspace, Allowance allowance, long month, long day) {
    long live =
        sessions.open(workspace).stream().mapToLong(usage -> Spent.of(usage).ceilingCost()).sum();
    return allowance.reached(month + live, day + live);
  }
}
