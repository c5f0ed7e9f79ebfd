package agentsessions.runner.turn;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// One run at a time in a session's folder, also among several processes of this machine.
///
/// The service has a lock for this as well; this one covers the moments in which it has given the
/// sandbox to a new run while an old one, whose lease ran out, is still dying here.
///
/// @param folder where the locks are: one file a session, held as long as its run's process lives
public record SessionLocks(Path folder) {
  /// Below the folder of all sessions' folders.
  public static final String FOLDER = ".locks";

  private static final ConcurrentMap<String, CompletableFuture<Void>> LAST =
      new ConcurrentHashMap<>();

  /// Waits until all earlier runs of the session have let go.
  ///
  /// @throws IOException if the lock's file cannot be made
  Hold hold(String sessionId) throws IOException {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> before = LAST.put(sessionId, mine);
    if (before != null) {
      before.join();
    }
    try {
      return new Hold(sessionId, mine, locked(sessionId));
    } catch (IOException | RuntimeException failed) {
      letGo(sessionId, mine);
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

  /// Takes a session away, and its lock with it.
  ///
  /// @throws IOException also if a run has the session
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

  /// What is done to a session that nobody else has.
  public interface Action {
    void run() throws IOException;
  }

  private static void letGo(String sessionId, CompletableFuture<Void> mine) {
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
        letGo(sessionId, mine);
      }
    }
  }
}
