package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The files of a task that its agent can read and run, and cannot change: they belong to the
/// runner, who is another user, in folders that are the runner's. They are there for one turn.
///
/// @param root the folder that the agent sees as `/`
/// @param list names those that are there
public record ReadOnlyFiles(Path root, Path list) {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  /// Writes these in place of those that are there.
  ///
  /// @param content by path in the task
  /// @throws IOException if the agent could change one, or the image has one of its own there
  void write(Map<String, String> content) throws IOException {
    if (content.isEmpty()) {
      return;
    }
    remove();
    requireNone(content.keySet());
    Files.write(list, content.keySet());
    for (Map.Entry<String, String> file : content.entrySet()) {
      Path path = path(file.getKey());
      makeFolders(path);
      Files.writeString(path, file.getValue(), StandardOpenOption.CREATE_NEW);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r-xr-xr-x"));
    }
  }

  /// Removes those that are there.
  public void remove() throws IOException {
    if (Files.exists(list)) {
      for (String name : Files.readAllLines(list)) {
        Files.deleteIfExists(path(name));
      }
      Files.delete(list);
    }
  }

  private Path path(String name) {
    return root.resolve(name.substring(1));
  }

  /// What is listed is removed after the turn, which an image's own file must not be.
  private void requireNone(Collection<String> names) throws IOException {
    List<String> found =
        names.stream().filter(name -> Files.exists(path(name), LinkOption.NOFOLLOW_LINKS)).toList();
    if (!found.isEmpty()) {
      throw new IOException("the task has files of its own where the gate's are to be: " + found);
    }
  }

  /// Makes the folders above a file.
  private void makeFolders(Path file) throws IOException {
    Path folder = root;
    for (Path name : root.relativize(file)) {
      makeFolder(folder);
      folder = folder.resolve(name);
    }
  }

  private static void makeFolder(Path folder) throws IOException {
    if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    if (!isOurs(folder)) {
      throw new IOException("the agent could change what is in " + folder);
    }
  }

  private static boolean isOurs(Path folder) throws IOException {
    Object runner = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        && Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(runner)
        && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).stream()
            .noneMatch(OTHERS::contains);
  }
}
