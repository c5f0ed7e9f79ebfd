package agentsessions.session;

import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The end of a turn by itself: its final status, its closing text, its error if it failed, and its
/// artifacts. `usage` is the turn's usage as its runner reported it, null where it did not.
/// `repositories` is the new state of the session's repositories; empty where the session has none,
/// or where nothing new is known.
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

  /// The same failed, for an agent that was to plan and made no plan.
  public Ending withoutPlan() {
    Ending failed =
        failed(TurnStatus.FAILED, TurnError.planMissing(Session.Last.preview(text)), artifacts);
    return new Ending(failed.status, failed.text, failed.error, artifacts, repositories, usage);
  }

  /// The same, with the new state of the repositories.
  public Ending with(List<Repository> changed) {
    return new Ending(status, text, error, artifacts, changed, usage);
  }

  /// The same, without what was reported of pushes that wait: that is no error.
  public Ending withoutWaiting() {
    return with(
        repositories.stream()
            .map(repository -> repository.isWaiting() ? repository.with(null) : repository)
            .toList());
  }

  /// The same, with the turn's usage.
  public Ending using(Usage total) {
    return new Ending(status, text, error, artifacts, repositories, total);
  }
}
