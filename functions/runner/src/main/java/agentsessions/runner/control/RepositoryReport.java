package agentsessions.runner.control;

import agentsessions.runner.agent.Mask;
import org.jspecify.annotations.Nullable;

/// The state of one repository after a turn, as the result reports it; a repository without a
/// report stays as it was.
///
/// @param number its place among the session's, from 1
/// @param branch the branch that is checked out; null: a detached commit
/// @param patchKey the key of the artifact that is the patch
/// @param patchSha256 checksum of the patch. Equal to the one in the claim, and without a key, if
///   the last patch still holds; null if nothing is changed.
public record RepositoryReport(
    int number,
    @Nullable String baseCommit,
    @Nullable String headCommit,
    @Nullable String branch,
    int filesChanged,
    int additions,
    int deletions,
    @Nullable String patchKey,
    @Nullable String patchSha256,
    @Nullable Pushed pushed,
    @Nullable String pullRequestUrl,
    @Nullable Fault error) {

  /// The report with secrets masked in the texts that came from the repository's host.
  public RepositoryReport masked(Mask mask) {
    return new RepositoryReport(
        number,
        baseCommit,
        headCommit,
        branch,
        filesChanged,
        additions,
        deletions,
        patchKey,
        patchSha256,
        pushed,
        pullRequestUrl == null ? null : mask.text(pullRequestUrl),
        error == null ? null : new Fault(error.code(), mask.text(error.message())));
  }

  /// The push of this turn: its branch and commit.
  public record Pushed(String branch, String commit) {}

  /// The reason why a push or pull request could not be done; the turn itself has not failed.
  public record Fault(String code, String message) {}
}
