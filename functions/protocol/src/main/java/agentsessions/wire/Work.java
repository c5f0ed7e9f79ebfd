package agentsessions.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The input of a turn beside its message: the files, repositories, variables and secrets of its
/// session and of the message. Much of it is secret, so it is never printed as a whole.
///
/// @param model the model that the client chose among those of the entry; null: the entry's default
/// @param variables environment variables for the agent
/// @param secrets environment variables for the agent that are masked in everything reported
/// @param masked further secret values to mask, which no process gets
/// @param setup a bash script that is run once in a sandbox, after files and clones
/// @param allowPrivate whether hosts at private addresses, and plain http, are allowed
/// @param permissions the rules for the agent's tools; null: all are allowed
/// @param job whether no agent runs and nothing is cloned anew: only the changes are pushed, if
///   they are those of the last patches
/// @param parked the call for which the turn was parked; null: it begins
/// @param used the usage of its earlier runners; null: it had none
public record Work(
    @Nullable String model,
    Map<String, String> variables,
    Map<String, String> secrets,
    List<String> masked,
    @Nullable String setup,
    List<InputFile> files,
    List<Repository> repositories,
    boolean allowPrivate,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Permissions permissions,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean job,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ParkedCall parked,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable UsageReport used) {

  /// A file to be written, given either by its content or by a link.
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

  /// A repository of the session, to be cloned if it is not yet.
  ///
  /// @param number its position in the session's repositories, from 1
  /// @param ref a branch, a tag or a commit; null: the remote's HEAD
  /// @param path relative to `/workspace`
  /// @param depth the number of commits that are fetched; 0: all
  /// @param baseCommit the commit that was cloned, once that is known
  /// @param patchSha256 checksum of the last patch; an equal one need not be uploaded again
  /// @param patchUrl link to the last patch, for a sandbox that was lost and for a push of it
  /// @param tree git's id of the tree that the last patch makes of the base; null: not known
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
      @Nullable String tree,
      List<String> pushed,
      @Nullable Push push) {

    @Override
    public String toString() {
      return "repository %d at %s".formatted(number, path);
    }
  }

  /// The credential for a repository's host. It never enters the sandbox.
  public record Credential(String username, String password) {

    @Override
    public String toString() {
      return "credential";
    }
  }

  /// The target of the changes of a completed turn.
  ///
  /// @param branch the only branch that anything is pushed to
  /// @param adopt whether the branch may have commits of others; it then takes fast-forwards only
  /// @param base the target branch of the pull request, if it was given
  /// @param provider `github`, `gitlab` or `gitea`; needed for a pull request
  /// @param pullRequestUrl the pull request that an earlier turn made
  /// @param allowed true: a person has allowed what a rule asks about
  public record Push(
      String branch,
      boolean adopt,
      @Nullable String base,
      @Nullable String provider,
      @Nullable PullRequest pullRequest,
      @Nullable String pullRequestUrl,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean allowed) {}

  /// The pull request that the client wants.
  public record PullRequest(@Nullable String title, @Nullable String body, boolean draft) {}

  /// The rules by which the calls of the agent's tools, and connections, are judged before they are
  /// made. The first rule that fits holds.
  ///
  /// @param byDefault the policy where no rule fits
  /// @param questions whether a person answers the agent's questions
  /// @param plan whether the agent is to plan only
  public record Permissions(
      @JsonProperty("default") String byDefault,
      List<Rule> rules,
      int holdSeconds,
      boolean questions,
      boolean plan) {
    public static final String ALLOW = "allow";
    public static final String ASK = "ask";
    public static final String DENY = "deny";
  }

  /// A rule for calls of tools, or for connections; what it does not name fits any.
  ///
  /// @param kind what the tool does, by the agent's entry, or `host`
  /// @param tool a glob of the tool's name
  /// @param match a glob of the call's input, as canonical JSON, or of the host
  /// @param policy `allow`, `ask` or `deny`
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Rule(
      @Nullable String kind, @Nullable String tool, @Nullable String match, String policy) {}

  /// The call for which a turn was parked, and the decision on it.
  ///
  /// @param call names it within the turn, as its runner said when it asked
  /// @param decision `allow`, `allow_session` or `deny`
  /// @param note the decider's words
  /// @param answers the values by question; null where there was none
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ParkedCall(
      String call,
      String tool,
      String kind,
      String title,
      String fingerprint,
      String decision,
      @Nullable String note,
      @Nullable Map<String, List<String>> answers) {}

  @Override
  public String toString() {
    return "work: files=%d repositories=%d".formatted(files.size(), repositories.size());
  }
}
