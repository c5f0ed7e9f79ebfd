package agentsessions.runner.sandbox;

import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/// The locations of all sessions' folders on this machine.
///
/// @param path the parent folder of all of them
/// @param root in a task, which has one session only: the folder below which that session has
///   `workspace` and `home/agent`
public record SessionFolders(Path path, Optional<Path> root) {

  /// The folder of a session, which need not exist yet.
  public SessionFolder of(String sessionId) {
    Path folder = path.resolve(UUID.fromString(sessionId).toString());
    return new SessionFolder(
        folder,
        seen(Mounts.FOLDERS.workspace()).orElse(folder.resolve("work")),
        seen(Mounts.FOLDERS.home()).orElse(folder.resolve("home")),
        AgentUser.of(sessionId));
  }

  /// In a task, the files that the agent of this session cannot change.
  public Optional<ReadOnlyFiles> readOnly(SessionFolder folder) {
    return root.map(all -> new ReadOnlyFiles(all, folder.path().resolve("fixed")));
  }

  private Optional<Path> seen(String place) {
    return root.map(below -> below.resolve(place.substring(1)));
  }
}
