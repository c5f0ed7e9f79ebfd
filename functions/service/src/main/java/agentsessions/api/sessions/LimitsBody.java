package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import agentsessions.session.usage.Ceilings;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The limits of a session's turns, each by itself and all together, as the API shows them.
@Serdeable
record LimitsBody(Most turn, Most session) {
  /// The limits of one scope; null: no limit.
  @Serdeable
  record Most(
      @Nullable BigDecimal maxCostUsd,
      @Nullable Long maxTokens,
      @Nullable Long maxModelRequests,
      @Nullable Long maxSeconds) {
    static Most of(Ceilings ceilings) {
      return new Most(
          Optional.ofNullable(ceilings.microDollars()).map(CommonJson::dollars).orElse(null),
          ceilings.tokens(),
          ceilings.requests(),
          ceilings.seconds());
    }
  }

  static LimitsBody of(Ceilings.OfSession limits) {
    return new LimitsBody(Most.of(limits.turn()), Most.of(limits.session()));
  }
}
