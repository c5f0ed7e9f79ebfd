package agentsessions.runner.agent.tool;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The workspace of a session, to tell by its path whether a file that an agent edits is in it.
///
/// @param path as the agent sees it
/// @param start the agent's working directory, in it
/// @param here the same folder as this machine sees it
public record WorkspaceFolder(Path path, Path start, Path here) {

  /// Whether a path leads into the workspace with no link on the way: what a link leads to may be
  /// anywhere.
  boolean contains(String name) {
    try {
      Path file = start.resolve(name);
      boolean isBelow = file.startsWith(path) && !file.equals(path);
      return !name.startsWith("~") && isBelow && staysInside(file);
    } catch (InvalidPathException odd) {
      return false;
    }
  }

  private boolean staysInside(Path file) {
    Path at = here;
    for (Path each : file.subpath(path.getNameCount(), file.getNameCount())) {
      at = at.resolve(each).normalize();
      if (!at.startsWith(here) || Files.isSymbolicLink(at)) {
        return false;
      }
    }
    return true;
  }
}
