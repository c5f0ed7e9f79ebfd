package agentsessions.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A durable conversation with one agent. `turnNumber` counts its turns; `working` is true while
/// the current one is live; `lastStamp` is the latest stamp of its ended turns.
public record Session(
    SessionKey key,
    String agentName,
    @Nullable String title,
    Map<String, String> metadata,
    boolean archived,
    boolean working,
    long turnNumber,
    TurnId firstTurn,
    TurnId currentTurn,
    Stamp lastStamp,
    Stamp createdAt,
    Stamp updatedAt) {

  /// A session as its first message makes it.
  public static Session begun(
      Receipt receipt, String agentName, @Nullable String title, Map<String, String> metadata) {
    return new Session(
        receipt.turn().session(),
        agentName,
        title,
        metadata,
        false,
        true,
        1,
        receipt.turn().id(),
        receipt.turn().id(),
        receipt.stamp(),
        receipt.stamp(),
        receipt.stamp());
  }

  public SessionId id() {
    return key.id();
  }

  public TurnKey current() {
    return key.turn(currentTurn);
  }
}
