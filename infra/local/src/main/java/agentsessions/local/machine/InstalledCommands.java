package agentsessions.local.machine;

import com.google.common.base.Splitter;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The commands that this machine has installed.
public final class InstalledCommands {
  /// The system's folders on the `PATH` of sandboxes.
  public static final List<Path> SANDBOX_FOLDERS =
      List.of(Path.of("/usr/local/bin"), Path.of("/usr/bin"), Path.of("/bin"));

  private InstalledCommands() {}

  /// Whether the `PATH` of this process has a command.
  public static boolean isOnPath(String command) {
    return isIn(folders(System.getenv().getOrDefault("PATH", "")), command);
  }

  /// Whether sandboxes have a command. They clone repositories with their `git`.
  public static boolean isInSandboxes(String command) {
    return isIn(SANDBOX_FOLDERS, command);
  }

  /// Whether one of the folders has a command.
  public static boolean isIn(List<Path> folders, String command) {
    return folders.stream()
        .map(folder -> folder.resolve(command))
        .anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
  }

  /// The folders of a `PATH`.
  public static List<Path> folders(String path) {
    return Splitter.on(File.pathSeparator).splitToStream(path).map(Path::of).toList();
  }
}
