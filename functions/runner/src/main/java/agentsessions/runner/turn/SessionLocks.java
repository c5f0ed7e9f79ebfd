package agentsessions.runner.turn;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The locks of sessions' folders: one turn at a time in a folder, also among several processes of
/// this machine.
///
/// The service has a lock of the sandbox as well. This one covers the moments in which the service
/// has given the sandbox to a new turn while an old one, whose lease ran out, is still ending here.
///
/// @param folder the folder of the lock files: one for each session, held as long as its turn's
///   process lives
public record SessionLocks(Path folder) {
  /// The name of that folder, below the folder of all sessions.
  public static final String FOLDER = ".locks";

  private static final ConcurrentMap<String, CompletableFuture<Void>> LAST =
      new ConcurrentHashMap<>();

  /// Waits until all earlier turns of the session have released the lock.
  ///
  /// @throws IOException if the lock file cannot be created
  Hold hold(String sessionId) throws IOException {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> before = LAST.put(sessionId, mine);
    if (before != null) {
      before.join();
    }
    try {
      return new Hold(sessionId, mine, locked(sessionId));
    } catch (IOException | RuntimeException failed) {
      unlock(sessionId, mine);
      throw failed;
    }
  }

  private FileChannel locked(String sessionId) throws IOException {
    Files.createDirectories(folder);
    FileChannel file =
        FileChannel.open(
            folder.resolve(sessionId), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    file.lock();
    return file;
  }

  /// Runs the removal of a session under its lock, and deletes the lock file.
  ///
  /// @throws IOException also if a turn holds the lock
  public void remove(String sessionId, Action action) throws IOException {
    Path file = folder.resolve(sessionId);
    Files.createDirectories(folder);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (channel.tryLock() == null) {
        throw new IOException(sessionId + " is in use");
      }
      action.run();
      Files.deleteIfExists(file);
    }
  }

  /// The action on a locked session.
  public interface Action {
    void run() throws IOException;
  }

  private static void unlock(String sessionId, CompletableFuture<Void> mine) {
    LAST.remove(sessionId, mine);
    mine.complete(null);
  }

  /// Held until it is closed.
  record Hold(String sessionId, CompletableFuture<Void> mine, FileChannel file)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      try {
        file.close();
      } finally {
        unlock(sessionId, mine);
      }
    }
  }
}
