package agentsessions.session.input;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A path below the agent's `/workspace`, as clients name the places of files and repositories. The
/// names that an agent gives to files of its own are not judged by it.
public final class WorkspacePath {
  private static final int MOST = 1_024;
  private static final int MOST_PART = 255;
  private static final Set<String> OURS = Set.of("outputs", "plans");

  /// The fault of a file's path, if it has one.
  public static Optional<String> fault(String path) {
    if (bytes(path) > MOST) {
      return Optional.of("must be at most 1,024 bytes of UTF-8");
    }
    if (path.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("must be without control characters"); // it stands in messages and logs
    }
    return parts(path).stream().allMatch(WorkspacePath::isPart)
        ? Optional.empty()
        : Optional.of("must be a path relative to /workspace, without .., and nothing of a .git");
  }

  /// The same for the folder of a repository, which must not be in the agent's folders for plans
  /// and outputs.
  public static Optional<String> faultOfFolder(String path) {
    return OURS.contains(parts(path).getFirst())
        ? Optional.of("must not be in outputs or plans, which are the agent's")
        : fault(path);
  }

  /// Whether both are the same, or one lies in the other.
  public static boolean meet(String one, String other) {
    return isIn(one, other) || isIn(other, one);
  }

  /// Whether a path is that folder, or lies in it.
  public static boolean isIn(String path, String folder) {
    return (path + "/").startsWith(folder + "/");
  }

  private static boolean isPart(String part) {
    return !part.isEmpty()
        && !part.equals(".")
        && !part.equals("..")
        && !part.equalsIgnoreCase(".git")
        && bytes(part) <= MOST_PART;
  }

  private static List<String> parts(String path) {
    return Arrays.asList(path.split("/", -1));
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private WorkspacePath() {}
}
