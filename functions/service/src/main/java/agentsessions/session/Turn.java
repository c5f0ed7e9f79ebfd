package agentsessions.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One user message and what became of it; the API calls it a thread.
///
/// `number` counts the turns of a session from 1. `fence` is the highest claim so far (dispatch *
/// 1000 + attempt): only its holder may write. `dispatch` counts the executions started.
/// `firstStamp` and `lastStamp` bound the stamps of the turn's messages; `events`, `progress` and
/// `toolCalls` count those its runner has sent. `dueAt` is when the sweep looks at it, while it is
/// live. `reported`: it ended as its runner said.
public record Turn(
    Workspace workspace,
    SessionId sessionId,
    TurnId id,
    String agentName,
    long number,
    TurnStatus status,
    int dispatch,
    long fence,
    String baseUrl,
    Stamp sessionCreated,
    Stamp firstStamp,
    Stamp lastStamp,
    int events,
    int progress,
    int toolCalls,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant leaseUntil,
    @Nullable Instant deadline,
    @Nullable Instant dueAt,
    boolean reported,
    @Nullable TurnError error,
    @Nullable TurnId supersededBy) {

  /// How often an execution is started before the turn is given up.
  public static final int MAX_DISPATCHES = 5;

  /// Attempts of one execution share its dispatch number; a claim must have a higher fence than any
  /// before it.
  public static long fence(int dispatch, int attempt) {
    return dispatch * 1000L + attempt;
  }

  public boolean live() {
    return status.live();
  }
}
