package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import agentsessions.session.usage.SpendingLimits;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// The spending limits of a workspace, as the API shows them; null: no limit.
@Serdeable
record WorkspaceLimitsBody(
    @Nullable BigDecimal maxCostUsdPerMonth, @Nullable BigDecimal maxCostUsdPerDay) {

  static WorkspaceLimitsBody of(SpendingLimits spendingLimits) {
    return new WorkspaceLimitsBody(
        dollars(spendingLimits.perMonth()), dollars(spendingLimits.perDay()));
  }

  private static @Nullable BigDecimal dollars(@Nullable Long micros) {
    return micros == null ? null : CommonJson.dollars(micros);
  }
}
