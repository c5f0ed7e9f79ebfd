package agentsessions.api.sessions;

import agentsessions.api.request.Wire;
import agentsessions.session.usage.Ceilings;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a session's turns may use, each by itself and all together, as the API shows it.
@Serdeable
record LimitsBody(Most turn, Most session) {
  /// Null: any amount.
  @Serdeable
  record Most(
      @Nullable BigDecimal maxCostUsd,
      @Nullable Long maxTokens,
      @Nullable Long maxModelRequests,
      @Nullable Long maxSeconds) {
    static Most of(Ceilings ceilings) {
      return new Most(
          Optional.ofNullable(ceilings.microDollars()).map(Wire::dollars).orElse(null),
          ceilings.tokens(),
          ceilings.requests(),
          ceilings.seconds());
    }
  }

  static LimitsBody of(Ceilings.OfSession limits) {
    return new LimitsBody(Most.of(limits.turn()), Most.of(limits.session()));
  }
}
