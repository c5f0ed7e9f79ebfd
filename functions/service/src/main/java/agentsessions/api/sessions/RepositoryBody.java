package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import agentsessions.session.repository.Repository;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A repository of a session, with the changes that were made in it, as the API shows it.
@Serdeable
record RepositoryBody(
    String url,
    @Nullable String ref,
    String path,
    @Nullable String baseCommit,
    @Nullable String headCommit,
    @Nullable String branch,
    int filesChanged,
    int additions,
    int deletions,
    @Nullable String patchArtifactId,
    @Nullable Pushed pushed,
    @Nullable String pullRequestUrl,
    @Nullable Fault error) {
  @Serdeable
  record Pushed(String branch, String commit, String at) {
    static Pushed of(Repository.Pushed pushed) {
      return new Pushed(pushed.branch(), pushed.commit(), CommonJson.time(pushed.at()));
    }
  }

  @Serdeable
  record Fault(String code, String message) {
    static Fault of(Repository.Fault fault) {
      return new Fault(fault.code(), fault.message());
    }
  }

  /// A repository as a list of sessions shows it.
  @Serdeable
  record Line(String url, @Nullable String ref) {
    static List<Line> of(List<Repository> repositories) {
      return repositories.stream().map(one -> new Line(one.url(), one.ref())).toList();
    }
  }

  static List<RepositoryBody> of(List<Repository> repositories) {
    return repositories.stream().map(RepositoryBody::of).toList();
  }

  /// The URLs of the pull requests that were opened, in the order of their repositories.
  static List<String> pullRequests(List<Repository> repositories) {
    return repositories.stream()
        .flatMap(repository -> Stream.ofNullable(repository.pullRequestUrl()))
        .toList();
  }

  private static RepositoryBody of(Repository repository) {
    return new RepositoryBody(
        repository.url(),
        repository.ref(),
        repository.path(),
        repository.baseCommit(),
        repository.headCommit(),
        repository.branch(),
        repository.changes().files(),
        repository.changes().additions(),
        repository.changes().deletions(),
        Optional.ofNullable(repository.patch())
            .map(patch -> patch.artifact().toString())
            .orElse(null),
        Optional.ofNullable(repository.pushed()).map(Pushed::of).orElse(null),
        repository.pullRequestUrl(),
        Optional.ofNullable(repository.fault()).map(Fault::of).orElse(null));
  }
}
