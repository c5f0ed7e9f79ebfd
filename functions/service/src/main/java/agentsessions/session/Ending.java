package agentsessions.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a turn ends by itself: its final status, the closing text, why it failed (if it did), and
/// what it leaves behind. `repositories` are the session's as they now are; empty where it has
/// none, or nothing is known of them that was not known before.
public record Ending(
    TurnStatus status,
    String text,
    @Nullable TurnError error,
    List<Artifact> artifacts,
    List<Repository> repositories) {

  public static Ending failed(TurnStatus status, TurnError error, List<Artifact> artifacts) {
    return new Ending(status, error.sentence(status), error, artifacts, List.of());
  }

  public static Ending completed(String reply, List<Artifact> artifacts) {
    return new Ending(TurnStatus.COMPLETED, reply, null, artifacts, List.of());
  }

  /// The same, with what became of the repositories.
  public Ending with(List<Repository> changed) {
    return new Ending(status, text, error, artifacts, changed);
  }
}
