package agentsessions.session.repository;

import agentsessions.session.id.ArtifactId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A repository of a session as clients see it: what it is, and what became of it so far.
///
/// @param ref as it was asked for; null: what the remote's HEAD names
/// @param path relative to `/workspace`
/// @param baseCommit what was cloned, once that is known
/// @param branch what is checked out; null: a commit, or not known yet
/// @param pushed what was pushed last
/// @param pullRequestUrl the pull request that was opened
/// @param fault why something that was asked for could not be done in the last turn
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

  /// How much differs from the base commit.
  public record Changes(int files, int additions, int deletions) {
    public static final Changes NONE = new Changes(0, 0, 0);
  }

  /// All changes against the base commit, as an artifact.
  public record Patch(ArtifactId artifact, String objectKey, String sha256) {}

  public record Pushed(String branch, String commit, Instant at) {}

  public record Fault(String code, String message) {}

  /// As it is before anybody has looked at it.
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
