package agentsessions.session;

import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a turn ends by itself: its final status, the closing text, why it failed (if it did), and
/// what it leaves behind. `usage` is what it has used, where its runner says so. `repositories` are
/// the session's as they now are; empty where it has none, or nothing is known of them that was not
/// known before.
public record Ending(
    TurnStatus status,
    String text,
    @Nullable TurnError error,
    List<Artifact> artifacts,
    List<Repository> repositories,
    @Nullable Usage usage) {

  public static Ending failed(TurnStatus status, TurnError error, List<Artifact> artifacts) {
    return new Ending(status, error.sentence(status), error, artifacts, List.of(), null);
  }

  public static Ending completed(String reply, List<Artifact> artifacts) {
    return new Ending(TurnStatus.COMPLETED, reply, null, artifacts, List.of(), null);
  }

  /// The same, with what became of the repositories.
  public Ending with(List<Repository> changed) {
    return new Ending(status, text, error, artifacts, changed, usage);
  }

  /// The same, with what it has used.
  public Ending using(Usage total) {
    return new Ending(status, text, error, artifacts, repositories, total);
  }
}
