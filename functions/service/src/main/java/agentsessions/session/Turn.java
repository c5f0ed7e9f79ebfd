package agentsessions.session;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One user message and what became of it; the API calls it a thread.
///
/// `number` counts the turns of a session from 1. `fence` is the highest claim so far (dispatch *
/// 1000 + attempt): only its holder may write. `dispatch` numbers the executions; `vainStarts`
/// counts those before it whose runner was started and did not claim, and `handedOver` says that
/// the present one has started a runner. `firstStamp` and `lastStamp` bound the stamps of the
/// turn's messages; `events`, `progress` and `toolCalls` count those its runner has sent. `dueAt`
/// is when the sweep looks at it, while it is live. `reported`: it ended as its runner said.
/// `sandbox` is what became of its files, once it has ended, and null where it was never claimed.
public record Turn(
    TurnKey key,
    String agentName,
    long number,
    TurnStatus status,
    int dispatch,
    int vainStarts,
    boolean handedOver,
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
    @Nullable TurnId supersededBy,
    @Nullable SandboxState sandbox) {

  /// How often a runner is started in vain before the turn is given up.
  public static final int MAX_STARTS = 5;

  /// After its deadline a turn whose runner is alive has this long to report what it made.
  public static final Duration LAST_WORDS = Duration.ofMinutes(10);

  /// Attempts of one execution share its dispatch number; a claim must have a higher fence than any
  /// before it.
  public static long fence(int dispatch, int attempt) {
    return dispatch * 1000L + attempt;
  }

  public TurnId id() {
    return key.id();
  }

  public SessionId sessionId() {
    return key.sessionId();
  }

  /// What the message that made it was given.
  public Receipt receipt() {
    return new Receipt(key, firstStamp);
  }

  public boolean live() {
    return status.live();
  }

  /// How many runners were started for it and did not claim it, as long as it is queued.
  public int startsInVain() {
    return vainStarts + (handedOver ? 1 : 0);
  }

  /// True where its runner may be at work at `now`.
  public boolean leased(Instant now) {
    return leaseUntil != null && !leaseUntil.isBefore(now);
  }

  /// True where its time is over at `now`.
  public boolean overdue(Instant now) {
    return deadline != null && deadline.isBefore(now);
  }
}
