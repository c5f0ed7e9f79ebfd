package agentsessions.local.machine;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The folder that holds all data between runs, locked by one process at a time.
///
/// The operating system releases the lock when the process ends, also after `kill -9`.
public final class DataFolder implements AutoCloseable {
  /// The name of the database's folder; without it there is no data yet.
  public static final String TABLE = "dynamodb";

  private static final long LEAST_SPACE = 64L << 20;
  private static final long LARGEST_LOG = 10L << 20;
  private static final String FORMAT = "format";

  private final Path root;
  private final FileChannel lock;

  private DataFolder(Path root, FileChannel lock) {
    this.root = root;
    this.lock = lock;
  }

  /// Locks the folder for this process; makes it if absent.
  ///
  /// @throws CannotStart if it cannot be written, its disk is full, or another process holds the
  ///   lock
  public static DataFolder take(Path folder) {
    Path root = folder.toAbsolutePath().normalize();
    try {
      made(root);
      return new DataFolder(root, locked(root)).checked();
    } catch (IOException e) {
      throw new CannotStart("Cannot use the data folder " + root + ": " + Failures.text(e), e);
    }
  }

  /// Requires that the data has this format; a new folder gets it. Data without a format is older
  /// than formats and counts as format 0.
  ///
  /// @throws CannotStart if the data has another format; it is left unchanged
  public void requireFormat(int format) {
    String read = Integer.toString(format);
    Optional<String> written = secret(FORMAT);
    if (written.isEmpty() && Files.notExists(root.resolve(TABLE))) {
      keepSecret(FORMAT, read);
    } else if (!written.equals(Optional.of(read))) {
      throw new CannotStart(
          ("The data in %s is of format %s, and this version reads format %s: start the version that"
                  + " wrote it, or begin with another folder (--data)")
              .formatted(root, written.orElse("0"), read));
    }
  }

  /// A folder inside; makes it if absent.
  public Path folder(String name) {
    try {
      return made(root.resolve(name));
    } catch (IOException e) {
      throw new CannotStart("Cannot make " + root.resolve(name) + ": " + Failures.text(e), e);
    }
  }

  /// The log file of a child process. One of more than 10 MiB is moved aside first.
  public Path logFile(String name) {
    Path file = folder("logs").resolve(name + ".log");
    try {
      if (Files.exists(file) && Files.size(file) > LARGEST_LOG) {
        Files.move(file, file.resolveSibling(name + ".old.log"), REPLACE_EXISTING);
      }
      return file;
    } catch (IOException e) {
      throw new CannotStart("Cannot use " + file + ": " + Failures.text(e), e);
    }
  }

  /// A small text that only the owner of the folder can read.
  public Optional<String> secret(String name) {
    return secret(root.resolve(name));
  }

  /// Reads such a text without the lock of its folder.
  public static Optional<String> secret(Path file) {
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    } catch (IOException e) {
      throw new CannotStart("Cannot read " + file + ": " + Failures.text(e), e);
    }
  }

  /// Writes a small text, readable by the owner only, atomically.
  public void keepSecret(String name, String text) {
    keepSecret(root.resolve(name), text);
  }

  /// Writes such a text without the lock of its folder.
  public static void keepSecret(Path file, String text) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(fresh);
      ownerOnly(fresh, "rw-------");
      Files.writeString(fresh, text + "\n");
      Files.move(fresh, file, ATOMIC_MOVE, REPLACE_EXISTING);
    } catch (IOException e) {
      throw new CannotStart("Cannot write " + file + ": " + Failures.text(e), e);
    }
  }

  public Path root() {
    return root;
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private DataFolder checked() throws IOException {
    long free = Files.getFileStore(root).getUsableSpace();
    if (free < LEAST_SPACE) {
      close();
      throw new CannotStart(
          "The disk of " + root + " is full: " + (free >> 20) + " MiB are free, 64 are needed");
    }
    return this;
  }

  private static FileChannel locked(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(
            root.resolve(".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      String owner = read(channel);
      channel.close();
      throw new CannotStart(
          "Another instance (process "
              + owner
              + ") uses "
              + root
              + ": stop it, or choose another folder with --data");
    }
    channel
        .truncate(0)
        .write(
            ByteBuffer.wrap(
                Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      // Far behind the content, since some systems forbid to read a locked range.
      return channel.tryLock(Long.MAX_VALUE - 1, 1, false);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(20);
    channel.read(buffer, 0);
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
  }

  /// Makes a folder for the owner only. An existing one keeps its permissions, since it may have
  /// other uses.
  private static Path made(Path folder) throws IOException {
    boolean there = Files.isDirectory(folder);
    Files.createDirectories(folder);
    if (!there) {
      ownerOnly(folder, "rwx------");
    }
    return folder;
  }

  private static void ownerOnly(Path path, String permissions) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
  }
}
