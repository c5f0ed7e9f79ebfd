package agentsessions.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The `git` of this machine, which sandboxes clone repositories with.
final class GitCommand {
  /// The `PATH` of sandboxes.
  private static final List<Path> FOLDERS =
      List.of(Path.of("/usr/local/bin"), Path.of("/usr/bin"), Path.of("/bin"));

  static boolean isInstalled() {
    return FOLDERS.stream().anyMatch(folder -> Files.isExecutable(folder.resolve("git")));
  }

  private GitCommand() {}
}
