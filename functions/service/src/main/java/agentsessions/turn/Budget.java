package agentsessions.turn;

import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.usage.Ceiling;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Spent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a turn may use when it is claimed: by its own ceilings, and by what is left of its
/// session's. How long it may run by its own is said apart.
public record Budget(List<Ceiling> ceilings, Optional<Duration> longest) {

  static Budget of(Turn turn, Optional<Session> session) {
    Ceilings.OfSession limits =
        session.map(found -> found.account().limits()).orElse(Ceilings.OfSession.NONE);
    Ceilings own = turn.account().limits().over(limits.turn());
    Spent spent = session.map(found -> found.account().spent()).orElse(Spent.NONE);
    List<Ceiling> all = new ArrayList<>(own.of(Ceiling.Scope.TURN, Spent.NONE));
    all.removeIf(ceiling -> ceiling.unit() == Ceiling.Unit.MILLISECONDS);
    all.addAll(limits.session().of(Ceiling.Scope.SESSION, spent));
    return new Budget(
        List.copyOf(all), Optional.ofNullable(own.seconds()).map(Duration::ofSeconds));
  }

  /// The first that leaves the turn nothing.
  public Optional<Ceiling> reached() {
    return ceilings.stream().filter(Ceiling::isReached).findFirst();
  }

  /// Whether what other turns of its session use is counted.
  boolean isOfSession() {
    return ceilings.stream().anyMatch(ceiling -> ceiling.scope() == Ceiling.Scope.SESSION);
  }

  /// Whether it needs prices.
  public boolean isOfMoney() {
    return ceilings.stream().anyMatch(ceiling -> ceiling.unit() == Ceiling.Unit.MICRO_DOLLARS);
  }

  /// How long it may run.
  ///
  /// @param most where its own ceiling does not say less
  public Duration time(Duration most) {
    return longest.filter(own -> own.compareTo(most) < 0).orElse(most);
  }
}
