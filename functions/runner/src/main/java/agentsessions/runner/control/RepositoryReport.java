package agentsessions.runner.control;

import agentsessions.runner.agent.Mask;
import org.jspecify.annotations.Nullable;

/// What a turn has made of one repository; one that is not reported stays as it was.
///
/// @param number its place among the session's, from 1
/// @param branch what is checked out; null: a commit
/// @param patchKey the key of the report's artifact that is the patch
/// @param patchSha256 of the patch: the same as in the claim, and no key, where the last one still
///   holds; null where nothing is changed
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

  /// Without secrets in what the repository's host has said.
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

  /// What was pushed in this turn, and where to.
  public record Pushed(String branch, String commit) {}

  /// Why something that was asked for could not be done, without the turn having failed.
  public record Fault(String code, String message) {}
}
