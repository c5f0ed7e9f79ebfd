package agentsessions.protocol;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The JSON messages of the runner protocol about a turn's inputs beside its message, and about its
/// changes to repositories. Much of it is secret: it is in the response to the one claim and kept
/// nowhere.
public final class WorkMessages {
  /// The inputs that the session starts with, and those that the turn's message brought.
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

  /// A repository, by its number among the session's from 1, and its state after the turn before.
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

  /// The branch to which changes are pushed after a completed turn, and the pull request to open.
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

  /// A commit that is to be recorded before it is pushed.
  @Serdeable
  public record Commit(@Nullable Integer repository, @Nullable String commit) {}

  /// The state of one repository after a turn.
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
