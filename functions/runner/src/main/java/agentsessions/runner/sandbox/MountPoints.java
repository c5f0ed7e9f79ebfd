package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The empty files and folders in a session's workspace and HOME that were made so that a sandbox
/// has something to mount on. They are listed before they are made, by names as `home/.bashrc`, and
/// removed after the run, or when the session's folder is opened again.
///
/// No process of the session runs meanwhile. It may have left a link anywhere, which bubblewrap
/// would follow while the machine's own files are still within reach.
public record MountPoints(SessionFolder folder) {
  private static final Logger LOG = LoggerFactory.getLogger(MountPoints.class);
  static final String HOME = "home";
  static final String WORK = "work";

  /// The first name on the way to a file that is a link, or a file where a folder is needed;
  /// relative to the root.
  static Optional<Path> obstacle(Path root, Path file) {
    Path path = Path.of("");
    for (Path name : file) {
      path = path.resolve(name);
      Path there = root.resolve(path);
      boolean isOnTheWay = path.getNameCount() < file.getNameCount();
      if (Files.isSymbolicLink(there) || (isOnTheWay && isThere(there) && !isFolder(there))) {
        return Optional.of(path);
      }
    }
    return Optional.empty();
  }

  /// Makes one, unless something is there.
  ///
  /// @param root `home` or `work`
  /// @param file relative to it
  /// @return its path
  /// @throws IOException if a link is on the way, or the agent has left a folder there that cannot
  ///   be written
  Path make(String root, Path file, boolean asFolder) throws IOException {
    Optional<Path> obstacle = obstacle(folder.named(root), file);
    if (obstacle.isPresent()) {
      throw new IOException("the agent has left a link, or a file: " + obstacle.get());
    }
    Path path = folder.named(root).resolve(file);
    List<Path> missing =
        IntStream.rangeClosed(1, file.getNameCount())
            .mapToObj(names -> file.subpath(0, names))
            .filter(each -> !isThere(folder.named(root).resolve(each)))
            .toList();
    list(missing.stream().map(each -> root + "/" + each).toList(), StandardOpenOption.APPEND);
    for (Path each : missing) {
      if (each.equals(file) && !asFolder) {
        Files.createFile(path);
      } else {
        Path made = Files.createDirectory(folder.named(root).resolve(each));
        folder.user().own(made, "rwxr-xr-x");
      }
    }
    return path;
  }

  /// Has an empty file that is there removed later, too: an earlier version has left some where a
  /// file of a gate was mounted, of which no agent can make anything.
  void removeLater(String root, Path file) throws IOException {
    if (isEmptyFile(folder.named(root).resolve(file))) {
      list(List.of(root + "/" + file), StandardOpenOption.APPEND);
    }
  }

  /// Removes those that are there, but not what an agent has put into their folders. What cannot be
  /// removed stays listed.
  public void remove() {
    try {
      if (Files.exists(folder.mountPoints())) {
        List<String> left = new ArrayList<>();
        for (String name : Files.readAllLines(folder.mountPoints()).reversed()) {
          if (!isRemoved(Path.of(name).normalize())) {
            left.addFirst(name);
          }
        }
        list(left, StandardOpenOption.TRUNCATE_EXISTING);
      }
    } catch (IOException failed) {
      LOG.warn("mount points are left: {}", failed.toString());
    }
  }

  private boolean isRemoved(Path name) {
    boolean isNamed = name.getNameCount() > 1 && (name.startsWith(HOME) || name.startsWith(WORK));
    if (!isNamed) {
      return true; // a line that was not written whole
    }
    Path root = folder.named(name.getName(0).toString());
    Path file = name.subpath(1, name.getNameCount());
    Path path = root.resolve(file);
    try {
      if (obstacle(root, file).isEmpty() && (isFolder(path) || isEmptyFile(path))) {
        delete(path);
      }
      return true;
    } catch (DirectoryNotEmptyException used) {
      return true; // now a folder of the agent's
    } catch (IOException failed) {
      LOG.warn("a mount point is left: {}", failed.toString());
      return false;
    }
  }

  /// The agent may have made the folder around it read-only, which matters to a runner that is not
  /// root.
  private static void delete(Path path) throws IOException {
    try {
      Files.delete(path);
    } catch (AccessDeniedException readOnly) {
      Path around = path.resolveSibling("");
      Set<PosixFilePermission> before = Files.getPosixFilePermissions(around);
      Set<PosixFilePermission> writable = new HashSet<>(before);
      writable.addAll(
          Set.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));
      Files.setPosixFilePermissions(around, writable);
      Files.delete(path);
      Files.setPosixFilePermissions(around, before);
    }
  }

  private void list(List<String> names, StandardOpenOption how) throws IOException {
    Files.write(
        folder.mountPoints(),
        names,
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        how);
  }

  private static boolean isThere(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isEmptyFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && path.toFile().length() == 0;
  }

  private static boolean isFolder(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }
}
