package agentsessions.session.repository;

import java.util.Optional;
import java.util.regex.Pattern;

/// The rules of git for the names of branches and tags (its manual: git-check-ref-format), and how
/// a commit is distinguished from them.
public final class GitRef {
  private static final int MOST = 255;
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

  /// Text that git refuses anywhere in a name, or at the beginning or the end of a name or of one
  /// of its parts.
  private static final Pattern REFUSED =
      Pattern.compile(
          "[\\x00-\\x20\\x7f~^:?*\\[\\\\]|\\.\\.|@\\{|//|^[-/]|[/.]$|(^|/)\\.|\\.lock(/|$)|^@$");

  /// The fault of the name of a branch, a tag or a commit, if it has one.
  public static Optional<String> fault(String name) {
    if (name.codePointCount(0, name.length()) > MOST) {
      return Optional.of("must be at most 255 characters");
    }
    return name.isEmpty() || REFUSED.matcher(name).find()
        ? Optional.of("must be a name that git takes")
        : Optional.empty();
  }

  /// The same for a branch that is to be pushed to: its name must not be taken for anything else.
  public static Optional<String> faultOfBranch(String name) {
    return name.equals("HEAD") || name.startsWith("refs/") || isCommit(name)
        ? Optional.of("must be the name of a branch")
        : fault(name);
  }

  public static boolean isCommit(String name) {
    return COMMIT.matcher(name).matches();
  }

  private GitRef() {}
}
