package agentsessions.runner.control;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a turn has to work on beside its message: what its session starts with, and what the
/// message brought. Much of it is secret, so that none of it is ever printed whole.
///
/// @param model the chosen one of the entry's models; null: the entry's own default
/// @param variables given to the agent
/// @param secrets given to the agent, and masked in all that is said
/// @param masked further values to be masked, which are never given to anybody
/// @param setup a bash script that is run once in a sandbox, after files and clones
/// @param allowPrivate whether hosts of private addresses may be reached, and by plain http
public record Work(
    @Nullable String model,
    Map<String, String> variables,
    Map<String, String> secrets,
    List<String> masked,
    @Nullable String setup,
    List<InputFile> files,
    List<Repository> repositories,
    boolean allowPrivate) {

  /// A file to be written, by its content or by a link to get it: one of the two is there.
  ///
  /// @param path relative to `/workspace`
  /// @param size in bytes
  public record InputFile(
      String path,
      @Nullable String contentBase64,
      @Nullable String url,
      long size,
      @Nullable String sha256) {

    @Override
    public String toString() {
      return "file " + path;
    }
  }

  /// A repository to be cloned, or that was.
  ///
  /// @param number its place among the session's, from 1
  /// @param ref a branch, a tag or a commit; null: what the remote's HEAD names
  /// @param path relative to `/workspace`
  /// @param depth how many commits are fetched; 0: all
  /// @param baseCommit what was cloned, once that is known
  /// @param patchSha256 of the last patch; one that is equal need not be uploaded again
  /// @param patchUrl where the last patch is to be had, for a sandbox that was lost
  /// @param pushed the commits that are on record as the session's own, the newest first
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
      @Nullable Push push) {

    @Override
    public String toString() {
      return "repository %d at %s".formatted(number, path);
    }
  }

  /// What a repository's host asks for. It stays outside of the sandbox.
  public record Credential(String username, String password) {

    @Override
    public String toString() {
      return "credential";
    }
  }

  /// Where the changes go after a completed turn.
  ///
  /// @param branch the only one that anything is pushed to
  /// @param adopt whether it may be others', and is moved forward only
  /// @param base the branch of a pull request's other side, if it was named
  /// @param provider `github`, `gitlab` or `gitea`, where a pull request is asked for
  /// @param pullRequestUrl the one that was made before
  public record Push(
      String branch,
      boolean adopt,
      @Nullable String base,
      @Nullable String provider,
      @Nullable PullRequest pullRequest,
      @Nullable String pullRequestUrl) {}

  /// A pull request that is asked for.
  public record PullRequest(@Nullable String title, @Nullable String body, boolean draft) {}

  @Override
  public String toString() {
    return "work: files=%d repositories=%d".formatted(files.size(), repositories.size());
  }
}
