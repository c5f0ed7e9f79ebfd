package agentsessions.wire;

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
    @Nullable Fault error) {

  /// What was pushed in this turn, and where to.
  public record Pushed(@Nullable String branch, @Nullable String commit) {}

  /// Why something that was asked for could not be done, without the turn having failed.
  public record Fault(@Nullable String code, @Nullable String message) {}
}
