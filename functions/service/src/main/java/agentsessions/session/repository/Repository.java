package agentsessions.session.repository;

import agentsessions.rule.WaitingPush;
import agentsessions.session.id.ArtifactId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A repository of a session as clients see it: its checkout, and its state after the last turn.
///
/// @param ref as it was asked for; null: what the remote's HEAD names
/// @param path relative to `/workspace`
/// @param baseCommit the commit that was cloned, once it is known
/// @param branch the branch that is checked out; null: a commit, or not known yet
/// @param pushed the last push
/// @param pullRequestUrl the pull request that was opened
/// @param fault why a requested step failed in the last turn
public record Repository(
    String url,
    @Nullable String ref,
    String path,
    @Nullable String baseCommit,
    @Nullable String headCommit,
    @Nullable String branch,
    Changes changes,
    @Nullable Patch patch,
    @Nullable Pushed pushed,
    @Nullable String pullRequestUrl,
    @Nullable Fault fault) {

  /// The size of the difference from the base commit.
  public record Changes(int files, int additions, int deletions) {
    public static final Changes NONE = new Changes(0, 0, 0);
  }

  /// All changes against the base commit, as an artifact.
  ///
  /// @param tree git's id of the tree that it makes of the base; null of patches from before that
  ///   was kept
  public record Patch(
      ArtifactId artifact, String objectKey, String sha256, @Nullable String tree) {}

  public record Pushed(String branch, String commit, Instant at) {}

  public record Fault(String code, String message) {}

  /// The same after a job, which changes nothing in it.
  ///
  /// @param url of the pull request
  public Repository after(@Nullable Pushed last, @Nullable String url, @Nullable Fault problem) {
    return new Repository(
        this.url, ref, path, baseCommit, headCommit, branch, changes, patch, last, url, problem);
  }

  /// The same with this fault, or without one.
  public Repository with(@Nullable Fault problem) {
    return after(pushed, pullRequestUrl, problem);
  }

  /// Whether a push waits for a person, as its runner has reported.
  public boolean isWaiting() {
    return fault != null && fault.code().equals(WaitingPush.CODE);
  }

  /// Its state before it was cloned.
  public static Repository of(Checkout checkout) {
    return new Repository(
        checkout.url().uri().toString(),
        checkout.ref(),
        checkout.path(),
        null,
        null,
        null,
        Changes.NONE,
        null,
        null,
        null,
        null);
  }
}
