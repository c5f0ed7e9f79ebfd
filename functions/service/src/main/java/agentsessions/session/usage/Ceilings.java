package agentsessions.session.usage;

import agentsessions.rule.Ceiling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The ceilings of a turn or of a session, as its client sets them; null: no bound.
public record Ceilings(
    @Nullable Long microDollars,
    @Nullable Long tokens,
    @Nullable Long requests,
    @Nullable Long seconds) {
  public static final Ceilings NONE = new Ceilings(null, null, null, null);

  private static final long MILLIS = 1000;

  /// The ceilings of a session: of each turn by itself, and of all together.
  public record OfSession(Ceilings turn, Ceilings session) {
    public static final OfSession NONE = new OfSession(Ceilings.NONE, Ceilings.NONE);
  }

  /// These ceilings, with those of the others where these have none.
  public Ceilings over(Ceilings others) {
    return new Ceilings(
        microDollars == null ? others.microDollars : microDollars,
        tokens == null ? others.tokens : tokens,
        requests == null ? others.requests : requests,
        seconds == null ? others.seconds : seconds);
  }

  /// Each ceiling, with the usage so far.
  public List<Ceiling> of(Ceiling.Scope scope, UsageTotal used) {
    List<Ceiling> all = new ArrayList<>();
    if (requests != null) {
      all.add(new Ceiling(scope, Ceiling.Unit.REQUESTS, requests, used.requests()));
    }
    if (microDollars != null) {
      all.add(new Ceiling(scope, Ceiling.Unit.MICRO_DOLLARS, microDollars, used.ceilingCost()));
    }
    if (tokens != null) {
      all.add(
          new Ceiling(
              scope, Ceiling.Unit.TOKENS, tokens, used.tokens().total() + used.guess().tokens()));
    }
    if (seconds != null) {
      all.add(new Ceiling(scope, Ceiling.Unit.MILLISECONDS, seconds * MILLIS, used.millis()));
    }
    return all;
  }

  /// The first ceiling of a session that is reached.
  public Optional<Ceiling> reached(UsageTotal used) {
    return of(Ceiling.Scope.SESSION, used).stream().filter(Ceiling::isReached).findFirst();
  }
}
