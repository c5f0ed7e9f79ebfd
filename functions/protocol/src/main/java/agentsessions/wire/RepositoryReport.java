package agentsessions.wire;

import org.jspecify.annotations.Nullable;

/// The state of one repository after a turn, as the result reports it; a repository without a
/// report stays as it was.
///
/// @param number its position in the session's repositories, from 1
/// @param branch the branch that is checked out; null: a detached commit
/// @param patchKey the object key of the artifact that holds the patch
/// @param patchSha256 checksum of the patch. Equal to the one in the claim, and without a key, if
///   the last patch still holds; null if nothing is changed.
/// @param tree git's id of the tree that the patch makes of the base; null where there is none
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
    @Nullable String tree,
    @Nullable Pushed pushed,
    @Nullable String pullRequestUrl,
    @Nullable Fault error) {

  /// The branch and the commit that this turn pushed.
  public record Pushed(@Nullable String branch, @Nullable String commit) {}

  /// The error of an inspection, push or pull request, or that a push waits for a person; the turn
  /// itself has not failed.
  public record Fault(@Nullable String code, @Nullable String message) {}
}
