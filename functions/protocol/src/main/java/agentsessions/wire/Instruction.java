package agentsessions.wire;

import agentsessions.rule.Ceiling;
import agentsessions.rule.ModelPrice;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The response to a claim: everything that a runner needs to run the turn.
///
/// @param token the bearer token of all further calls
/// @param fence the number of the claim, greater for each later claim of the turn
/// @param workspace the session's workspace, by which a folder's session is found in the table
/// @param agent the agent's entry of the catalogue
/// @param deadlineAt the deadline of the turn, in epoch seconds
/// @param checkMillis the shortest time between two questions whether the turn is still live
/// @param waitSeconds the long-poll time of each such question; 0: it is answered at once
/// @param renewSeconds the interval of lease renewals; the lease lasts three intervals
/// @param snapshotUrl link to the saved sandbox, unless it is on the runner's own machine
/// @param sandboxLost whether the changes of the turn before are missing from the sandbox
/// @param work the further input beside the message, if there is any
/// @param ceilings the usage limits of the turn
/// @param prices prices of models, if a ceiling is in dollars; the first that matches applies
/// @param keys values for the address and the headers of the agent's model, if no container beside
///   the runner holds them
public record Instruction(
    String token,
    long fence,
    @Nullable String workspace,
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

  /// Without the message, the token and the work, which are secret.
  @Override
  public String toString() {
    return "session=%s turn=%s agent=%s fence=%d".formatted(sessionId, threadId, agentName, fence);
  }
}
