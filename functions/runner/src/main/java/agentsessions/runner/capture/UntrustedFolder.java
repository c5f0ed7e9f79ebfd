package agentsessions.runner.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/// A folder that an agent has written, read without following a link, at any depth: each step opens
/// an entry of a folder that is already open.
public record UntrustedFolder(Path root) {
  private static final int DEPTH = 64;

  /// Receives the entries of a walk. Paths are relative to the root.
  interface Visitor {
    void folder(Path folder);

    /// A regular file; returns whether the walk goes on.
    boolean file(Path file, BasicFileAttributes attributes);

    /// An entry that could not be read, or is too deep.
    void unreadable(Path path);
  }

  void walk(Visitor visitor) throws IOException {
    try (SecureDirectoryStream<Path> folder = open(root)) {
      boolean _ = list(folder, Path.of(""), visitor);
    }
  }

  /// Whether a regular file matches.
  public boolean has(Globs globs) throws IOException {
    AtomicBoolean found = new AtomicBoolean();
    walk(
        new Visitor() {
          @Override
          public void folder(Path folder) {}

          @Override
          public boolean file(Path file, BasicFileAttributes attributes) {
            found.compareAndSet(false, globs.match(file));
            return !found.get();
          }

          @Override
          public void unreadable(Path path) {}
        });
    return found.get();
  }

  /// Opens a regular file.
  ///
  /// @throws IOException also if it is anything else, or if a link is on the way
  public InputStream read(Path file) throws IOException {
    return at(file, UntrustedFolder::read);
  }

  /// The attributes of an entry; empty if it is not there.
  ///
  /// @throws IOException also if a link, or no folder, is on the way
  public Optional<BasicFileAttributes> attributes(Path path) throws IOException {
    try {
      return at(path, UntrustedFolder::attributes);
    } catch (NoSuchFileException notThere) {
      return Optional.empty();
    }
  }

  /// Whether a folder is there, and no link on the way to it.
  public boolean isFolder(Path path) {
    try {
      return attributes(path).filter(BasicFileAttributes::isDirectory).isPresent();
    } catch (IOException obstacle) {
      return false;
    }
  }

  /// Names of entries of a folder, as many as fit.
  ///
  /// @throws IOException also if a link is on the way
  public List<String> names(Path folder, Pattern wanted, int most) throws IOException {
    List<String> names = new ArrayList<>();
    try (SecureDirectoryStream<Path> entries = at(folder, UntrustedFolder::enter)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (names.size() < most && wanted.matcher(name).matches()) {
          names.add(name);
        }
      }
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
    return names;
  }

  /// What is done with an entry of an open folder.
  private interface Use<T> {
    T of(SecureDirectoryStream<Path> folder, Path name) throws IOException;
  }

  private <T> T at(Path path, Use<T> use) throws IOException {
    try (SecureDirectoryStream<Path> folder = open(root)) {
      return at(folder, path, use);
    }
  }

  private static <T> T at(SecureDirectoryStream<Path> folder, Path path, Use<T> use)
      throws IOException {
    Path name = path.getName(0);
    if (path.getNameCount() == 1) {
      return use.of(folder, name);
    }
    try (SecureDirectoryStream<Path> next = enter(folder, name)) {
      return at(next, path.subpath(1, path.getNameCount()), use);
    }
  }

  private static InputStream read(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    if (attributes(folder, name).filter(BasicFileAttributes::isRegularFile).isEmpty()) {
      throw new IOException("not a regular file");
    }
    return Channels.newInputStream(
        folder.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  private static boolean list(SecureDirectoryStream<Path> folder, Path at, Visitor visitor) {
    try {
      for (Path entry : folder) {
        if (!visit(folder, entry.getFileName(), at, visitor)) {
          return false;
        }
      }
    } catch (DirectoryIteratorException broken) {
      visitor.unreadable(at);
    }
    return true;
  }

  private static boolean visit(
      SecureDirectoryStream<Path> folder, Path name, Path at, Visitor visitor) {
    Path path = at.resolve(name);
    Optional<BasicFileAttributes> attributes = attributes(folder, name);
    if (attributes.filter(BasicFileAttributes::isDirectory).isPresent()) {
      return descend(folder, name, path, visitor);
    }
    return attributes
        .filter(BasicFileAttributes::isRegularFile)
        .map(regular -> visitor.file(path, regular))
        .orElse(true);
  }

  private static boolean descend(
      SecureDirectoryStream<Path> parent, Path name, Path path, Visitor visitor) {
    if (path.getNameCount() > DEPTH) {
      visitor.unreadable(path);
      return true;
    }
    visitor.folder(path);
    try (SecureDirectoryStream<Path> folder = enter(parent, name)) {
      return list(folder, path, visitor);
    } catch (IOException refused) {
      visitor.unreadable(path);
      return true;
    }
  }

  /// What is no folder is not opened: a pipe would wait for who writes into it.
  private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    if (attributes(folder, name).filter(found -> !found.isDirectory()).isPresent()) {
      throw new NotDirectoryException(name.toString());
    }
    return folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
  }

  /// Empty for an entry that is gone.
  private static Optional<BasicFileAttributes> attributes(
      SecureDirectoryStream<Path> folder, Path name) {
    try {
      return Optional.of(
          folder
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  // The caller closes the stream.
  @SuppressWarnings("StreamResourceLeak")
  private static SecureDirectoryStream<Path> open(Path folder) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("this file system cannot be read safely");
  }
}
