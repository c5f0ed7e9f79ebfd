package agentsessions.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a turn ends by itself: its final status, the closing text, why it failed (if it did), and
/// what it leaves behind.
public record Ending(
    TurnStatus status, String text, @Nullable TurnError error, List<Artifact> artifacts) {

  public static Ending failed(TurnStatus status, TurnError error, List<Artifact> artifacts) {
    return new Ending(status, error.sentence(status), error, artifacts);
  }

  public static Ending completed(String reply, List<Artifact> artifacts) {
    return new Ending(TurnStatus.COMPLETED, reply, null, artifacts);
  }
}
