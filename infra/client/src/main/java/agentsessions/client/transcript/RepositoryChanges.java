package agentsessions.client.transcript;

import agentsessions.client.api.Api;
import agentsessions.client.api.Wire.Pushed;
import agentsessions.client.api.Wire.Repository;
import agentsessions.client.api.Wire.Turn;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What became of a session's repositories by the end of a turn.
///
/// @param pullRequests their addresses
public record RepositoryChanges(List<Repository> repositories, List<String> pullRequests) {
  private static final int SHORT_COMMIT = 7;

  /// Pull requests are known of the session only, and there are none before something was pushed.
  public static RepositoryChanges of(Api api, String sessionId, Turn turn) {
    List<Repository> repositories = orNone(turn.repositories());
    boolean pushed = repositories.stream().anyMatch(each -> each.pushed() != null);
    return new RepositoryChanges(
        repositories, pushed ? orNone(api.work(sessionId).pullRequests()) : List.of());
  }

  /// One a repository in which something was changed or which was pushed, then the pull requests.
  List<String> lines() {
    Stream<String> changed =
        repositories.stream()
            .filter(each -> each.filesChanged() > 0 || each.pushed() != null)
            .map(RepositoryChanges::line);
    return Stream.concat(changed, pullRequests.stream().map(url -> "Pull request: " + url))
        .toList();
  }

  /// What was asked for and could not be done.
  List<String> errors() {
    return repositories.stream()
        .filter(each -> each.error() != null)
        .map(each -> each.path() + ": " + error(each))
        .toList();
  }

  static String error(Repository repository) {
    return repository.error() == null
        ? ""
        : repository.error().code() + ": " + repository.error().message();
  }

  private static String line(Repository each) {
    return "%s: %s, %s, %s%s"
        .formatted(
            each.path(),
            counted(each.filesChanged(), "file") + " changed",
            counted(each.additions(), "insertion") + "(+)",
            counted(each.deletions(), "deletion") + "(-)",
            each.pushed() == null ? "" : pushed(each.pushed()));
  }

  private static String pushed(Pushed pushed) {
    String commit = pushed.commit();
    String shown = commit.substring(0, Math.min(SHORT_COMMIT, commit.length()));
    return ", pushed to %s (%s)".formatted(pushed.branch(), shown);
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static <T> List<T> orNone(@Nullable List<T> list) {
    return Objects.requireNonNullElse(list, List.of());
  }
}
