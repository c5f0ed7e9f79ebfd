package agentsessions.wire;

import agentsessions.rule.Ceiling;
import agentsessions.rule.ModelPrice;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything a runner needs to run a turn, as it is answered to the claim.
///
/// @param token the bearer token of every further call
/// @param fence greater for each later claim of the turn
/// @param agent its entry of the catalogue
/// @param deadlineAt when the turn's time is up, in epoch seconds
/// @param checkMillis how often to ask whether the turn is still live, at most
/// @param waitSeconds how long each such question may be left open; 0: it is answered at once
/// @param renewSeconds how often to renew the lease; the service gives a runner up after three
///   times that
/// @param snapshotUrl where the sandbox as it was left is to be had, if it is not on the runner's
///   machine
/// @param sandboxLost whether what the turn before left in it is missing
/// @param work what there is beside the message, if anything
/// @param ceilings what the turn may use
/// @param prices of models, where one of the ceilings is in dollars; the first that fits holds
/// @param keys that fill in address and headers of the agent's model, where the runner has nobody
///   beside it to keep them
public record Instruction(
    String token,
    long fence,
    String sessionId,
    String threadId,
    long turnNumber,
    String agentName,
    Map<String, Object> agent,
    String message,
    double deadlineAt,
    int checkMillis,
    int waitSeconds,
    int renewSeconds,
    @Nullable String snapshotUrl,
    boolean sandboxLost,
    @Nullable Work work,
    @Nullable List<Ceiling> ceilings,
    @Nullable List<ModelPrice> prices,
    @Nullable Map<String, String> keys) {

  /// Never the message, never the token, nothing of the work.
  @Override
  public String toString() {
    return "session=%s turn=%s agent=%s fence=%d".formatted(sessionId, threadId, agentName, fence);
  }
}
