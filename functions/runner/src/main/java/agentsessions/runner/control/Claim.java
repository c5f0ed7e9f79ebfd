package agentsessions.runner.control;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.usage.Ceiling;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.ModelPrice;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A claimed turn, as the service described it: its agent, message, deadlines, budget and secrets.
///
/// @param token the bearer token of every further call
/// @param deadlineAt the end of the turn's time, in epoch seconds
/// @param checkMillis the shortest interval between two questions whether the turn is still live
/// @param waitSeconds how long the service may hold each such question open; 0: it answers at once
/// @param renewSeconds the interval between renewals of the lease, which ends after three of them
/// @param snapshotUrl link to the saved sandbox, if it is not on this machine
/// @param sandboxLost whether the changes of the turn before could not be saved
/// @param work input beside the message, if any
/// @param ceilings the most that the turn may use
/// @param prices of models, if one of the ceilings is in dollars; the first that matches applies
/// @param keys values for the URL and headers of the agent's model; they take precedence over the
///   runner's environment
public record Claim(
    String token,
    long fence,
    String sessionId,
    String threadId,
    int turnNumber,
    String agentName,
    AgentEntry agent,
    String message,
    double deadlineAt,
    long checkMillis,
    long waitSeconds,
    long renewSeconds,
    @Nullable String snapshotUrl,
    boolean sandboxLost,
    @Nullable Work work,
    List<Ceiling> ceilings,
    List<ModelPrice> prices,
    Map<String, String> keys) {

  public Claim {
    keys = Objects.requireNonNullElse(keys, Map.of());
    ceilings = Objects.requireNonNullElse(ceilings, List.of());
    prices = Objects.requireNonNullElse(prices, List.of());
  }

  /// The budget of the agent's requests to its model.
  public ModelBudget budget() {
    long most = agent.model() == null ? Long.MAX_VALUE : agent.model().maxRequests();
    return ModelBudget.of(ceilings, prices, most);
  }

  /// The name of the object that this turn's sandbox is saved as.
  public String snapshotKey() {
    return "sandboxes/%s/%s/%d".formatted(sessionId, threadId, fence);
  }

  public Duration timeLeft(Clock clock) {
    long millis = Math.round(deadlineAt * 1000) - clock.millis();
    return Duration.ofMillis(Math.max(0, millis));
  }

  /// Without the message, the token and the work, which are secret.
  @Override
  public String toString() {
    return "session=%s turn=%s agent=%s fence=%d".formatted(sessionId, threadId, agentName, fence);
  }
}
