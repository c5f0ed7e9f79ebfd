package agentsessions.runner.control;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.usage.Budget;
import agentsessions.runner.usage.Ceiling;
import agentsessions.runner.usage.ModelPrice;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A turn that is ours to run, as the service described it when it was claimed.
///
/// @param token the bearer token of every further call
/// @param deadlineAt when the turn's time is up, in epoch seconds
/// @param checkMillis how often to ask whether the turn is still live, at most
/// @param waitSeconds how long each such question may be left open; 0: it is answered at once
/// @param renewSeconds how often to renew the lease; the service gives up on us after three times
///   that
/// @param snapshotUrl where the sandbox as it was left is to be had, if it is not on this machine
/// @param sandboxLost whether what the turn before left in it is missing
/// @param work what there is beside the message, if anything
/// @param ceilings what the turn may use
/// @param prices of models, where one of the ceilings is in dollars; the first that fits holds
/// @param keys that fill in the address and headers of the agent's model, before the runner's own
///   environment does
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

  /// What its agent may use of its model.
  public Budget budget() {
    long most = agent.model() == null ? Long.MAX_VALUE : agent.model().maxRequests();
    return Budget.of(ceilings, prices, most);
  }

  /// The name of the object that the sandbox is saved as.
  public String snapshotKey() {
    return "sandboxes/%s/%s/%d".formatted(sessionId, threadId, fence);
  }

  public Duration timeLeft(Clock clock) {
    long millis = Math.round(deadlineAt * 1000) - clock.millis();
    return Duration.ofMillis(Math.max(0, millis));
  }

  /// Never the message, never the token, nothing of the work.
  @Override
  public String toString() {
    return "session=%s turn=%s agent=%s fence=%d".formatted(sessionId, threadId, agentName, fence);
  }
}
