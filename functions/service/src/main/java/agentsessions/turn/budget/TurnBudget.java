package agentsessions.turn.budget;

import agentsessions.rule.Ceiling;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.UsageTotal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The budget of a turn at its claim: its own ceilings, and what is left of its session's. Its own
/// ceiling of running time is apart, in `longest`.
public record TurnBudget(List<Ceiling> ceilings, Optional<Duration> longest) {

  public static TurnBudget of(Turn turn, Optional<Session> session) {
    Ceilings.OfSession limits =
        session.map(found -> found.account().limits()).orElse(Ceilings.OfSession.NONE);
    Ceilings own = turn.account().limits().over(limits.turn());
    // Of what it has used before it was parked, its runner is told all but the time.
    UsageTotal spent =
        session
            .map(found -> found.account().spent())
            .orElse(UsageTotal.NONE)
            .lasting(turn.account().usage().millis());
    List<Ceiling> all = new ArrayList<>(own.of(Ceiling.Scope.TURN, UsageTotal.NONE));
    all.removeIf(ceiling -> ceiling.unit() == Ceiling.Unit.MILLISECONDS);
    all.addAll(limits.session().of(Ceiling.Scope.SESSION, spent));
    return new TurnBudget(
        List.copyOf(all), Optional.ofNullable(own.seconds()).map(Duration::ofSeconds));
  }

  /// The first ceiling that leaves the turn nothing.
  public Optional<Ceiling> reached() {
    return ceilings.stream().filter(Ceiling::isReached).findFirst();
  }

  /// Whether it has ceilings of the session, which count the usage of other turns.
  public boolean isOfSession() {
    return ceilings.stream().anyMatch(ceiling -> ceiling.scope() == Ceiling.Scope.SESSION);
  }

  /// Whether it needs prices.
  public boolean isOfMoney() {
    return ceilings.stream().anyMatch(ceiling -> ceiling.unit() == Ceiling.Unit.MICRO_DOLLARS);
  }

  /// The time for which the turn may run.
  ///
  /// @param most the bound where its own ceiling is not lower
  public Duration time(Duration most) {
    return longest.filter(own -> own.compareTo(most) < 0).orElse(most);
  }
}
