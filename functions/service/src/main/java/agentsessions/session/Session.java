package agentsessions.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A durable conversation with one agent. `turnNumber` counts its turns; `working` is true while
/// the current one is live; `lastStamp` is the latest stamp of its ended turns.
public record Session(
    Workspace workspace,
    SessionId id,
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
      Workspace workspace,
      Receipt receipt,
      String agentName,
      @Nullable String title,
      Map<String, String> metadata) {
    return new Session(
        workspace,
        receipt.session(),
        agentName,
        title,
        metadata,
        false,
        true,
        1,
        receipt.turn(),
        receipt.turn(),
        receipt.stamp(),
        receipt.stamp(),
        receipt.stamp());
  }
}
