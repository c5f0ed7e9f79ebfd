package agentsessions.runner.agent.tool;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// The workspace of a session, to tell by its path whether a file that an agent edits is in it.
///
/// @param path as the agent sees it
/// @param start the agent's working directory, in it
/// @param here the same folder as this machine sees it
public record WorkspaceFolder(Path path, Path start, Path here) {

  /// What an agent may take for the end of a line or a path, or leave out.
  private static final Pattern ODD =
      Pattern.compile(
          "[\\p{Cntrl}\\x{85}\\x{2028}\\x{2029}]|^[\\p{Z}\\x{FEFF}~]|[\\p{Z}\\x{FEFF}]$");

  /// Whether a path leads into the workspace with no link on the way: what a link leads to may be
  /// anywhere.
  boolean contains(String name) {
    try {
      return names(name) && staysInside(start.resolve(name));
    } catch (InvalidPathException odd) {
      return false;
    }
  }

  /// Whether a path begins in the workspace, wherever it leads.
  boolean names(String name) {
    try {
      Path file = start.resolve(name);
      boolean isBelow = file.startsWith(path) && !file.equals(path);
      return !name.isEmpty() && !ODD.matcher(name).find() && isBelow;
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
