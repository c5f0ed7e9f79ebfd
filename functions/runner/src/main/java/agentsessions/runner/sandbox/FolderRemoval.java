package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;

/// The deletion of a folder that an agent has written, whatever its permissions and depth. Folders
/// without permissions are opened first; root becomes their owner first, since it may lack the
/// capability to empty others' folders. Links are removed, never followed.
///
/// A folder is emptied by moving its subfolders up to the top, so no path exceeds the system's
/// limit.
public final class FolderRemoval {
  private static final boolean ROOT = AgentUser.isRoot();

  private final Path top;
  private Optional<UserPrincipal> root = Optional.empty();
  private long moved;

  private FolderRemoval(Path top) {
    this.top = top;
  }

  /// Deletes a folder, a file or a link; it is no error if it does not exist.
  ///
  /// @throws IOException if something is left
  public static void of(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      new FolderRemoval(path).run();
    } else {
      Files.deleteIfExists(path);
    }
  }

  private void run() throws IOException {
    if (ROOT) {
      Files.setAttribute(top, "unix:uid", 0, LinkOption.NOFOLLOW_LINKS);
      root = Optional.of(Files.getOwner(top));
    } else {
      open(top);
    }
    while (emptyOnce()) {}
    Files.delete(top);
  }

  /// Removes the entries of the top folder; whether there were any.
  private boolean emptyOnce() throws IOException {
    boolean any = false;
    try (SecureDirectoryStream<Path> all = list(top)) {
      for (Path entry : all) {
        any = true;
        remove(all, entry.getFileName());
      }
    }
    return any;
  }

  private void remove(SecureDirectoryStream<Path> all, Path name) throws IOException {
    if (isFolder(all, name)) {
      open(all, name, top.resolve(name));
      empty(all, name);
      all.deleteDirectory(name);
    } else {
      all.deleteFile(name);
    }
  }

  private void empty(SecureDirectoryStream<Path> all, Path name) throws IOException {
    try (SecureDirectoryStream<Path> folder =
        all.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : folder) {
        Path inside = entry.getFileName();
        if (isFolder(folder, inside)) {
          open(folder, inside, top.resolve(name).resolve(inside));
          folder.move(inside, all, free());
        } else {
          folder.deleteFile(inside);
        }
      }
    }
  }

  private Path free() {
    Path name = Path.of(".gone-" + moved++);
    return Files.exists(top.resolve(name), LinkOption.NOFOLLOW_LINKS) ? free() : name;
  }

  private static boolean isFolder(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    try {
      return folder
          .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .readAttributes()
          .isDirectory();
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /// Root needs no permissions, and must not change those of a file that a link may lead to.
  private void open(SecureDirectoryStream<Path> above, Path name, Path path) throws IOException {
    if (root.isPresent()) {
      above
          .getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .setOwner(root.get());
    } else {
      open(path);
    }
  }

  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }

  // The caller closes the stream.
  @SuppressWarnings("StreamResourceLeak")
  private static SecureDirectoryStream<Path> list(Path folder) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("this file system cannot be read safely");
  }
}
