package agentsessions.runner.agent.tool;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The workspace of a session, to tell by its path whether a file that an agent edits is in it.
///
/// @param folder as the agent sees it
/// @param start the agent's working directory, in it
/// @param here the same folder as this machine sees it
public record Workspace(Path folder, Path start, Path here) {

  /// Whether a path leads into the workspace with no link on the way: what a link leads to may be
  /// anywhere.
  boolean contains(String path) {
    try {
      Path file = start.resolve(path);
      boolean isBelow = file.startsWith(folder) && !file.equals(folder);
      return !path.startsWith("~") && isBelow && staysInside(file);
    } catch (InvalidPathException odd) {
      return false;
    }
  }

  private boolean staysInside(Path file) {
    Path at = here;
    for (Path name : file.subpath(folder.getNameCount(), file.getNameCount())) {
      at = at.resolve(name).normalize();
      if (!at.startsWith(here) || Files.isSymbolicLink(at)) {
        return false;
      }
    }
    return true;
  }
}
