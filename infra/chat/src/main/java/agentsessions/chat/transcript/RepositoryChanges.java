package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Pushed;
import agentsessions.chat.api.ApiModel.Repository;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.ApiModel.Work;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The changes in a session's repositories at the end of a turn.
///
/// @param pullRequests the URLs of the session's pull requests
public record RepositoryChanges(List<Repository> repositories, List<String> pullRequests) {
  private static final int SHORT_COMMIT = 7;

  /// Reads the changes after a turn. Pull requests are part of the session, which is read only if a
  /// repository was pushed; there are none before.
  public static RepositoryChanges of(Api api, String sessionId, Turn turn) {
    List<Repository> repositories = orNone(turn.repositories());
    boolean pushed = repositories.stream().anyMatch(each -> each.pushed() != null);
    return new RepositoryChanges(
        repositories, pushed ? orNone(api.work(sessionId).pullRequests()) : List.of());
  }

  /// The changes as a session has them.
  public static RepositoryChanges of(Work work) {
    return new RepositoryChanges(orNone(work.repositories()), orNone(work.pullRequests()));
  }

  /// A line for each changed or pushed repository, then one for each pull request, which says whose
  /// it is where there are several repositories.
  List<String> lines() {
    Stream<String> changed =
        repositories.stream()
            .filter(each -> each.filesChanged() > 0 || each.pushed() != null)
            .map(RepositoryChanges::line);
    return Stream.concat(changed, pullRequests.stream().map(this::pullRequest)).toList();
  }

  private String pullRequest(String url) {
    String of =
        repositories.stream()
            .filter(each -> repositories.size() > 1 && url.equals(each.pullRequestUrl()))
            .map(each -> " of " + each.path())
            .findFirst()
            .orElse("");
    return "Pull request" + of + ": " + url;
  }

  /// A line for each repository whose work failed, such as a push.
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
