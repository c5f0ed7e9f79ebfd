package agentsessions.session.request;

import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Sha256;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.repository.PushJob;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A push that a person decides on.
///
/// @param target the repository, by its number in the session, and the destination
/// @param path of the repository, relative to `/workspace`
/// @param branch that it goes to
/// @param head the commit that is checked out; null where it is not known
/// @param base the commit that the changes are against; null where there was none, and of requests
///   from before it was named
/// @param patch the SHA-256 of all changes, in hexadecimal
/// @param tree git's id of the tree that they make of the base; null of requests from before it was
///   named, which nobody can allow
public record RequestedPush(
    PushJob.Target target,
    String url,
    String path,
    String branch,
    @Nullable String head,
    @Nullable String base,
    String patch,
    @Nullable String tree) {
  /// The name of what is asked about, where a call names its tool.
  public static final String TOOL = "push";

  private static final int SHORT = 12;

  /// One line for people.
  static String title(List<RequestedPush> pushes) {
    return pushes.stream()
        .map(push ->
            "%s to %s (patch %s)"
                .formatted(
                    push.path,
                    push.branch,
                    push.patch.substring(0, Math.min(SHORT, push.patch.length()))))
        .collect(Collectors.joining(", ", "Push ", ""));
  }

  /// The SHA-256 of exactly these pushes.
  static String fingerprint(List<RequestedPush> pushes) {
    return Sha256.hex(
        pushes.stream()
            .map(push ->
                "\n%s\n%s\n%s\n%s\n%s"
                    .formatted(push.url, push.branch, push.base, push.patch, push.tree))
            .collect(Collectors.joining("", TOOL, "")));
  }

  /// The id of the grant for a repository and a branch.
  public static String grantId(String url, String branch) {
    return Sha256.hex("%s\n%s\n%s".formatted(TOOL, url, branch));
  }

  SessionGrant grant(SessionKey session, Decision made) {
    return new SessionGrant(
        session,
        grantId(url, branch),
        "Push %s to %s".formatted(path, branch),
        TOOL,
        ToolPermissions.Kind.PUSH,
        made.at(),
        Objects.requireNonNull(made.keyId()));
  }
}
