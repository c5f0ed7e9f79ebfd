package agentsessions.runner.sandbox;

import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/// Where sessions have their folders.
///
/// @param path the folder of all of them
/// @param root below it agents have their two folders as in a sandbox, `workspace` and
///   `home/agent`, where there is one session only, as in a task
public record SessionFolders(Path path, Optional<Path> root) {

  /// Where a session's folder is, if there is one.
  public SessionFolder of(String sessionId) {
    Path folder = path.resolve(UUID.fromString(sessionId).toString());
    return new SessionFolder(
        folder,
        seen(Mounts.FOLDERS.workspace()).orElse(folder.resolve("work")),
        seen(Mounts.FOLDERS.home()).orElse(folder.resolve("home")),
        AgentUser.of(sessionId));
  }

  private Optional<Path> seen(String place) {
    return root.map(below -> below.resolve(place.substring(1)));
  }
}
