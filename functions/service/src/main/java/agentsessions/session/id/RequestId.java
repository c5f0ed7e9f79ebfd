package agentsessions.session.id;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

/// Names one request for a decision: a UUID that is made of its turn and the agent's call, so that
/// a call that is asked about again is the same request.
public record RequestId(UUID value) {
  /// In place of a call's name, for the plan with which a turn has ended.
  public static final String PLAN = "plan";

  /// The same for its pushes.
  public static final String PUSH = "push";

  private static final long VERSION_BITS = 0xF000L;
  private static final long VERSION = 0x8000L;
  private static final long VARIANT_BITS = 0xC000_0000_0000_0000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  /// The request of a call, or of what a turn asks at its end.
  ///
  /// @param call names the call within the turn
  public static RequestId of(TurnKey turn, String call) {
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of(turn.id() + "\n" + call));
    long high = (hash.getLong() & ~VERSION_BITS) | VERSION;
    long low = (hash.getLong() & ~VARIANT_BITS) | VARIANT;
    return new RequestId(new UUID(high, low));
  }

  public static Optional<RequestId> parse(String text) {
    return Uuids.parse(text).map(RequestId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
