package agentsessions.session.repository;

import agentsessions.session.id.SessionId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a client asks for a repository: where it is, what of it goes into which folder of the
/// workspace, how its host knows us, and where changes go.
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

  /// How the host knows us: by a secret of the workspace, or by a token that came with the request.
  /// Without a user name it is the one that the host's kind expects.
  public sealed interface Credential {
    @Nullable String username();

    record OfSecret(@Nullable String username, String secret) implements Credential {}

    record Token(@Nullable String username, String token) implements Credential {
      /// Never the token.
      @Override
      public String toString() {
        return "token";
      }
    }
  }

  /// Where changes go after a completed turn.
  ///
  /// @param branch null: one that is named after the session
  /// @param adopt whether it may be a branch of others, which is then moved forward only
  /// @param base the branch of a pull request's other side, if it is named
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

  /// The kinds of hosts that pull requests are opened at.
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

    /// The kind of host that a URL leads to, as far as its name tells; else null.
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
  public Checkout with(Credential other) {
    return new Checkout(url, ref, path, depth, submodules, other, push);
  }
}
