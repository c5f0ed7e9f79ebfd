package agentsessions.protocol;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What of the runner protocol says what a turn has to work on beside its message, and what became
/// of it. Much of it is secret: it is answered to the one claim and kept nowhere.
public final class WorkMessages {
  /// What a session starts with, and what the turn's message brought.
  @Serdeable
  public record Work(
      @Nullable String model,
      Map<String, String> variables,
      Map<String, String> secrets,
      List<String> masked,
      @Nullable String setup,
      List<InputFile> files,
      List<Repository> repositories,
      boolean allowPrivate) {

    @Override
    public String toString() {
      return "work";
    }
  }

  /// A file by its content or by a link. `path` is relative to `/workspace`; `size` in bytes.
  @Serdeable
  public record InputFile(
      String path,
      @Nullable String contentBase64,
      @Nullable String url,
      long size,
      @Nullable String sha256) {}

  /// A repository, by its place among the session's from 1, and what is known of it already.
  @Serdeable
  public record Repository(
      int number,
      String url,
      @Nullable String ref,
      String path,
      int depth,
      boolean submodules,
      @Nullable Credential credential,
      @Nullable String baseCommit,
      @Nullable String patchSha256,
      @Nullable String patchUrl,
      List<String> pushed,
      @Nullable Push push) {}

  @Serdeable
  public record Credential(String username, String password) {
    @Override
    public String toString() {
      return "credential";
    }
  }

  /// Where changes are pushed to after a completed turn.
  @Serdeable
  public record Push(
      String branch,
      boolean adopt,
      @Nullable String base,
      @Nullable String provider,
      @Nullable PullRequest pullRequest,
      @Nullable String pullRequestUrl) {}

  @Serdeable
  public record PullRequest(@Nullable String title, @Nullable String body, boolean draft) {}

  /// A commit that is to be on record before it is pushed.
  @Serdeable
  public record Commit(@Nullable Integer repository, @Nullable String commit) {}

  /// What a turn has made of one repository.
  @Serdeable
  public record RepositoryReport(
      @Nullable Integer number,
      @Nullable String baseCommit,
      @Nullable String headCommit,
      @Nullable String branch,
      @Nullable Integer filesChanged,
      @Nullable Integer additions,
      @Nullable Integer deletions,
      @Nullable String patchKey,
      @Nullable String patchSha256,
      @Nullable Pushed pushed,
      @Nullable String pullRequestUrl,
      @Nullable Fault error) {}

  @Serdeable
  public record Pushed(@Nullable String branch, @Nullable String commit) {}

  @Serdeable
  public record Fault(@Nullable String code, @Nullable String message) {}

  private WorkMessages() {}
}
