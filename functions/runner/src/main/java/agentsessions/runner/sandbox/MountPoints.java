package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The empty files and folders in a session's workspace and HOME that were made so that a sandbox
/// has something to mount on. They are listed before they are made, and removed after the run, or
/// when the session's folder is opened again.
///
/// No process of the session runs meanwhile. It may have left a link anywhere, which bubblewrap
/// would follow while the machine's own files are still within reach.
public record MountPoints(SessionFolder folder) {

  /// The first name on the way to a file that is a link, or a file where a folder is needed;
  /// relative to the root.
  static Optional<Path> obstacle(Path root, Path file) {
    Path path = Path.of("");
    for (Path name : file) {
      path = path.resolve(name);
      Path there = root.resolve(path);
      boolean isOnTheWay = path.getNameCount() < file.getNameCount();
      if (Files.isSymbolicLink(there)
          || (isOnTheWay && Files.exists(there, LinkOption.NOFOLLOW_LINKS) && !isFolder(there))) {
        return Optional.of(path);
      }
    }
    return Optional.empty();
  }

  /// Makes one, unless something is there. An empty file in HOME may be one that an earlier version
  /// has left: it is removed later, too.
  ///
  /// @throws IOException if a link is on the way
  void make(Path root, Path file, boolean asFolder) throws IOException {
    Optional<Path> obstacle = obstacle(root, file);
    if (obstacle.isPresent()) {
      throw new IOException("the agent has left a link, or a file: " + obstacle.get());
    }
    Path path = root.resolve(file);
    List<Path> missing =
        IntStream.rangeClosed(1, file.getNameCount())
            .mapToObj(names -> root.resolve(file.subpath(0, names)))
            .filter(each -> !isThere(each))
            .toList();
    note(missing);
    for (Path each : missing) {
      if (each.equals(path) && !asFolder) {
        Files.write(path, new byte[0]);
      } else {
        folder.user().own(Files.createDirectory(each), "rwxr-xr-x");
      }
    }
  }

  /// Removes those that are there, but not what an agent has put into their folders.
  public void remove() throws IOException {
    if (Files.exists(folder.mountPoints())) {
      for (String line : Files.readAllLines(folder.mountPoints()).reversed()) {
        removeOne(Path.of(line));
      }
      Files.delete(folder.mountPoints());
    }
  }

  private void removeOne(Path path) throws IOException {
    Path root = rootOf(path);
    if (obstacle(root, root.relativize(path)).isEmpty() && (isFolder(path) || isEmptyFile(path))) {
      try {
        Files.delete(path);
      } catch (DirectoryNotEmptyException used) {
        // now a folder of the agent's
      }
    }
  }

  private void note(List<Path> made) throws IOException {
    List<String> lines = made.stream().map(Path::toString).toList();
    Files.write(
        folder.mountPoints(),
        lines,
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private boolean isThere(Path path) {
    boolean counts = !path.startsWith(folder.home()) || !isEmptyFile(path);
    return counts && Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private Path rootOf(Path path) {
    return path.startsWith(folder.home()) ? folder.home() : folder.work();
  }

  private static boolean isEmptyFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && path.toFile().length() == 0;
  }

  private static boolean isFolder(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }
}
