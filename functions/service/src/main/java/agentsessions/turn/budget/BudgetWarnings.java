package agentsessions.turn.budget;

import agentsessions.rule.Ceiling;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.session.Sessions;
import agentsessions.store.usage.UsageLedger;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The webhook events which warn that four fifths of a ceiling are used: once a ceiling and period,
/// and again when the ceiling was raised and is as near. A mark of the warning is written with the
/// event, so that it is not sent twice. Where no webhook receives it, nothing is read.
@Singleton
public final class BudgetWarnings {
  private static final String ALWAYS = "";

  private final Announcer announcer;
  private final Sessions sessions;
  private final SpendingCheck spending;
  private final Clock clock;

  public BudgetWarnings(
      Announcer announcer, Sessions sessions, SpendingCheck spending, Clock clock) {
    this.announcer = announcer;
    this.sessions = sessions;
    this.spending = spending;
    this.clock = clock;
  }

  /// While a turn runs: warns of its own ceilings and its session's.
  ///
  /// @param reported its usage by now, where its runner reports it
  public void during(Turn turn, Optional<Usage> reported) {
    if (isReceived(turn)) {
      Usage used = used(turn, reported, clock.instant());
      session(turn)
          .ifPresent(session -> {
            UsageTotal spent = session.account().spent().plus(UsageTotal.of(used));
            tell(turn, session, ceilings(turn, session, used, spent));
          });
    }
  }

  /// After a turn was settled: warns of its workspace's limits, too.
  ///
  /// @param last the usage that its runner reported last
  public void after(Turn turn, Optional<Usage> last) {
    if (isReceived(turn)) {
      Instant now = clock.instant();
      Usage used = used(turn, last, now);
      session(turn)
          .ifPresent(session ->
              tell(turn, session, ceilings(turn, session, used, session.account().spent())));
      Workspace workspace = turn.key().sessionKey().workspace();
      LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
      spending.settled(workspace, today).stream()
          .filter(Ceiling::isNear)
          .forEach(near ->
              tell(
                  near,
                  PendingEvents.of(workspace).warning(near, null, Stamp.of(now)),
                  near.scope() == Ceiling.Scope.DAY
                      ? today.toString()
                      : YearMonth.from(today).toString()));
    }
  }

  private boolean isReceived(Turn turn) {
    return announcer.isReceived(turn.key().sessionKey().workspace(), turn.work().hasWebhook());
  }

  private Optional<Session> session(Turn turn) {
    return sessions.load(turn.key().sessionKey());
  }

  /// The running time of an ended turn is on record; that of a live one is counted until now.
  private static Usage used(Turn turn, Optional<Usage> reported, Instant now) {
    Usage known = turn.usage();
    Usage total = reported.map(known::then).orElse(known);
    return turn.ended().isPresent() ? total : total.at(turn.activeMillis(now));
  }

  private static List<Ceiling> ceilings(Turn turn, Session session, Usage used, UsageTotal spent) {
    Ceilings.OfSession limits = session.account().limits();
    Ceilings own = turn.account().limits().over(limits.turn());
    List<Ceiling> all = new ArrayList<>(own.of(Ceiling.Scope.TURN, UsageTotal.of(used)));
    all.addAll(limits.session().of(Ceiling.Scope.SESSION, spent));
    return all;
  }

  private void tell(Turn turn, Session session, List<Ceiling> ceilings) {
    SessionKey key = turn.key().sessionKey();
    Stamp seq = Stamp.after(turn.lastStamp(), clock.instant());
    for (Ceiling ceiling : ceilings) {
      if (ceiling.isNear()) {
        tell(
            ceiling,
            PendingEvents.of(key, session.hasWebhook()).warning(ceiling, turn.id(), seq),
            ceiling.scope() == Ceiling.Scope.TURN ? turn.id().toString() : ALWAYS);
      }
    }
  }

  private void tell(Ceiling near, PendingEvents events, String period) {
    Change mark =
        Change.of(Layout.warned(events.workspace(), events.session(), near, period))
            .set(Attribute.EXPIRES_AT, clock.instant().plus(UsageLedger.KEPT));
    boolean _ = announcer.write(List.of(mark.put()), events).committed();
  }
}
