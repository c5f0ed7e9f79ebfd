package agentsessions.turn.budget;

import agentsessions.rule.Ceiling;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.usage.UsageTotal;
import agentsessions.store.session.Sessions;
import agentsessions.store.usage.SpendingLimitStore;
import agentsessions.store.usage.UsageLedger;
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
public final class SpendingCheck {
  private final SpendingLimitStore spendingLimitStore;
  private final UsageLedger ledger;
  private final Sessions sessions;
  private final Clock clock;

  public SpendingCheck(
      SpendingLimitStore spendingLimitStore, UsageLedger ledger, Sessions sessions, Clock clock) {
    this.spendingLimitStore = spendingLimitStore;
    this.ledger = ledger;
    this.sessions = sessions;
    this.clock = clock;
  }

  /// The limit that is reached.
  public Optional<Ceiling> reached(Workspace workspace) {
    return reached(workspace, spendingLimitStore.of(workspace));
  }

  /// The same where the limits were read already.
  public Optional<Ceiling> reached(Workspace workspace, SpendingLimits spendingLimits) {
    if (spendingLimits.equals(SpendingLimits.ANY)) {
      return Optional.empty();
    }
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    SortedMap<LocalDate, Long> days = spent(workspace, today);
    long month = sum(days);
    long day = days.getOrDefault(today, 0L);
    return spendingLimits
        .reached(month, day)
        .or(() -> reached(workspace, spendingLimits, month, day));
  }

  /// The limits of a workspace with the cost of its settled turns; none where it has no limits.
  List<Ceiling> settled(Workspace workspace, LocalDate today) {
    SpendingLimits spendingLimits = spendingLimitStore.of(workspace);
    if (spendingLimits.equals(SpendingLimits.ANY)) {
      return List.of();
    }
    SortedMap<LocalDate, Long> days = spent(workspace, today);
    return spendingLimits.ceilings(sum(days), days.getOrDefault(today, 0L));
  }

  private SortedMap<LocalDate, Long> spent(Workspace workspace, LocalDate today) {
    return ledger.spent(workspace, today.withDayOfMonth(1), today);
  }

  private static long sum(SortedMap<LocalDate, Long> days) {
    return days.values().stream().mapToLong(each -> each).sum();
  }

  private Optional<Ceiling> reached(
      Workspace workspace, SpendingLimits spendingLimits, long month, long day) {
    long live =
        sessions.open(workspace).stream()
            .mapToLong(usage -> UsageTotal.of(usage).ceilingCost())
            .sum();
    return spendingLimits.reached(month + live, day + live);
  }
}
