package agentsessions.session.repository;

import agentsessions.session.id.SessionId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The request for a repository: its URL, the ref to check out, the folder of the workspace for it,
/// the credential for its host, and where changes are pushed.
///
/// @param ref a branch, a tag or a commit; null: what the remote's HEAD names
/// @param path relative to `/workspace`
/// @param depth how many commits are fetched; 0: all
public record Checkout(
    RepositoryUrl url,
    @Nullable String ref,
    String path,
    int depth,
    boolean submodules,
    @Nullable Credential credential,
    @Nullable Push push) {
  /// How many a session may have.
  public static final int MOST = 10;

  /// The credential for the repository's host: a secret of the workspace, or a token that came with
  /// the request. Without a user name, the usual one of the host's provider is used.
  public sealed interface Credential {
    @Nullable String username();

    record OfSecret(@Nullable String username, String secret) implements Credential {}

    record Token(@Nullable String username, String token) implements Credential {
      /// Without the token, so that no log can hold it.
      @Override
      public String toString() {
        return "token";
      }
    }
  }

  /// The destination of changes after a completed turn.
  ///
  /// @param branch null: one that is named after the session
  /// @param adopt whether it may be an existing branch of others, then only for fast-forward pushes
  /// @param base the target branch of the pull request, if it is named
  public record Push(
      @Nullable String branch,
      boolean adopt,
      @Nullable String base,
      @Nullable Provider provider,
      @Nullable PullRequest pullRequest) {

    /// The branch that this session pushes to.
    public String branch(SessionId session) {
      return branch == null ? "agent/" + session.toString().substring(0, 8) : branch;
    }
  }

  /// A pull request that is to be opened.
  public record PullRequest(@Nullable String title, @Nullable String body, boolean draft) {}

  /// The hosting providers at which pull requests can be opened.
  public enum Provider {
    GITHUB("x-access-token"),
    GITLAB("oauth2"),
    GITEA("git");

    private final String username;

    Provider(String username) {
      this.username = username;
    }

    /// As the API writes it.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// The provider of a URL, as far as its host name tells; else null.
    public static @Nullable Provider of(RepositoryUrl url) {
      String host = url.host();
      if (host.contains("github")) {
        return GITHUB;
      }
      if (host.contains("gitlab")) {
        return GITLAB;
      }
      return host.contains("gitea") || host.contains("forgejo") || host.equals("codeberg.org")
          ? GITEA
          : null;
    }
  }

  /// The user name that goes with a credential.
  public String username(Credential given) {
    if (given.username() != null) {
      return given.username();
    }
    Provider provider =
        push == null || push.provider() == null ? Provider.of(url) : push.provider();
    return provider == null ? "git" : provider.username;
  }

  /// The same with another credential.
  public Checkout with(@Nullable Credential other) {
    return new Checkout(url, ref, path, depth, submodules, other, push);
  }

  /// The same with another destination of its changes.
  public Checkout pushing(Push other) {
    return new Checkout(url, ref, path, depth, submodules, credential, other);
  }
}
