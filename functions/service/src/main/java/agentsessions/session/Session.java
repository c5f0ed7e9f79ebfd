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
    Stamp updatedAt) {}
