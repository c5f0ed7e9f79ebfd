package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import agentsessions.session.Turn;
import agentsessions.session.usage.UsageTotal;
import agentsessions.store.session.Sessions;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// The usage of a turn, or of all turns of a session, as the API shows it.
@Serdeable
public record UsageBody(
    long modelRequests,
    long inputTokens,
    long outputTokens,
    long cacheReadTokens,
    long cacheWriteTokens,
    BigDecimal activeSeconds,
    @Nullable BigDecimal costUsd,
    BigDecimal knownCostUsd,
    boolean complete) {

  public static UsageBody of(Turn turn) {
    return of(UsageTotal.of(turn.usage()), turn.isSettled() && turn.usage().complete());
  }

  public static UsageBody of(Sessions.Loaded loaded) {
    return of(loaded.spent(), loaded.isComplete());
  }

  /// The usage of turns that are all settled.
  public static UsageBody of(UsageTotal spent) {
    return of(spent, spent.incomplete() == 0);
  }

  private static UsageBody of(UsageTotal spent, boolean complete) {
    return new UsageBody(
        spent.requests(),
        spent.tokens().input(),
        spent.tokens().output(),
        spent.tokens().cacheRead(),
        spent.tokens().cacheWrites(),
        CommonJson.seconds(spent.millis()),
        spent.cost().map(CommonJson::dollars).orElse(null),
        CommonJson.dollars(spent.microDollars()),
        complete);
  }
}
