package agentsessions.api.sessions;

import agentsessions.api.request.BodyFields;
import agentsessions.session.Agent;
import agentsessions.session.Session;
import agentsessions.session.usage.Ceilings;
import agentsessions.turn.catalogue.PriceList;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reader of `limits` in a request: the most that turns may use.
@Singleton
final class LimitFields {
  private static final String LIMITS = "limits";
  private static final long MOST = 1_000_000_000_000L;

  private final BeanProvider<PriceList> prices;

  LimitFields(BeanProvider<PriceList> prices) {
    this.prices = prices;
  }

  /// The limits of a new session. The agent is empty where none has the name.
  Ceilings.OfSession ofSession(BodyFields body, Optional<Agent> agent) {
    Optional<BodyFields> limits = limits(body);
    Ceilings turn = limits.flatMap(given -> read(given, "turn")).orElse(Ceilings.NONE);
    Ceilings session = limits.flatMap(given -> read(given, "session")).orElse(Ceilings.NONE);
    refuseUnpriced(body, "turn", turn, agent, null);
    refuseUnpriced(body, "session", session, agent, null);
    return new Ceilings.OfSession(turn, session);
  }

  /// The limits of one message. The session is empty where it was not needed and so not read.
  Ceilings ofMessage(BodyFields body, Optional<Session> session, Optional<Agent> agent) {
    Optional<BodyFields> limits = limits(body);
    Ceilings turn = limits.flatMap(given -> read(given, "turn")).orElse(Ceilings.NONE);
    limits.ifPresent(given -> given.refuse("session", "is changed by PATCH of the session"));
    refuseUnpriced(body, "turn", turn, agent, session.map(Session::model).orElse(null));
    return turn;
  }

  /// The change of a session's limits in one scope: empty for no change, an empty value where the
  /// limits are removed, else the new ones. Session and agent are empty where they were not read.
  Optional<Optional<Ceilings>> changed(
      BodyFields body, String scope, Optional<Session> session, Optional<Agent> agent) {
    Optional<Optional<Ceilings>> change = changed(body, scope);
    @Nullable String model = session.map(Session::model).orElse(null);
    change
        .flatMap(said -> said)
        .ifPresent(ceilings -> refuseUnpriced(body, scope, ceilings, agent, model));
    return change;
  }

  private static Optional<Optional<Ceilings>> changed(BodyFields body, String scope) {
    Optional<BodyFields> limits = limits(body).filter(given -> given.names(scope));
    if (limits.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(read(limits.get(), scope).filter(said -> !said.equals(Ceilings.NONE)));
  }

  /// Whether the session must be read to check the limits of a message or a change.
  static boolean asksOfSession(BodyFields body) {
    return body.has(LIMITS);
  }

  private static Optional<BodyFields> limits(BodyFields body) {
    return body.object(LIMITS, "{\"turn\": {\"max_cost_usd\": …}}");
  }

  private static Optional<Ceilings> read(BodyFields limits, String scope) {
    return limits
        .object(scope, "{\"max_cost_usd\": …}")
        .map(given ->
            new Ceilings(
                given.dollars("max_cost_usd").orElse(null),
                given.whole("max_tokens", 1, MOST).orElse(null),
                given.whole("max_model_requests", 1, MOST).orElse(null),
                given.whole("max_seconds", 1, MOST).orElse(null)));
  }

  /// Refuses a cost limit for a model without a price. A name without a digit is the agent's own
  /// alias for a model, whose price is known only when the model is used.
  private void refuseUnpriced(
      BodyFields body,
      String scope,
      Ceilings ceilings,
      Optional<Agent> agent,
      @Nullable String before) {
    if (ceilings.microDollars() == null || agent.isEmpty() || !body.isFaultless()) {
      return;
    }
    Optional<String> model =
        body.optional("model", Integer.MAX_VALUE)
            .or(() -> Optional.ofNullable(before))
            .or(() -> agent.get().models().stream().findFirst());
    model
        .filter(name -> name.chars().anyMatch(Character::isDigit))
        .filter(name -> prices.get().prices().of(name).isEmpty())
        .ifPresent(name ->
            body.fault(
                "limits.%s.max_cost_usd".formatted(scope),
                "cannot hold: the model %s has no price".formatted(name)));
  }
}
