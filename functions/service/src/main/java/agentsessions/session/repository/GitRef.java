package agentsessions.session.repository;

import java.util.Optional;
import java.util.regex.Pattern;

/// The names that git takes for branches and tags (its manual: git-check-ref-format), and how a
/// commit is told from them.
public final class GitRef {
  private static final int MOST = 255;
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

  /// Anything that may stand nowhere, at the beginning, or at the end of a name or of a part of it.
  private static final Pattern REFUSED =
      Pattern.compile(
          "[\\x00-\\x20\\x7f~^:?*\\[\\\\]|\\.\\.|@\\{|//|^[-/]|[/.]$|(^|/)\\.|\\.lock(/|$)|^@$");

  /// What is wrong with the name of a branch, a tag or a commit, if anything.
  public static Optional<String> fault(String name) {
    if (name.codePointCount(0, name.length()) > MOST) {
      return Optional.of("must be at most 255 characters");
    }
    return name.isEmpty() || REFUSED.matcher(name).find()
        ? Optional.of("must be a name that git takes")
        : Optional.empty();
  }

  /// The same of a branch that is to be pushed to: one that cannot be taken for anything else.
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
