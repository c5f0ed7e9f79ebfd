package agentsessions.local.dynamodb;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The way in which the database's file is written: a transaction is appended to a log beside the
/// file, and moved into it later.
///
/// By itself SQLite keeps what it overwrites in a second file until the commit, and waits for the
/// disk four times a commit. The log is as safe and needs one wait: a commit is over once the log
/// is on the disk, and a log that a killed process has left is taken up at the next start. The file
/// remembers that it has one.
///
/// A log's index is memory that all who open the file share. Where the file system can have none,
/// as on some network drives, a file with a log could not be opened at all, so there it gets none.
final class WriteAheadLog {
  private static final String CONNECTION = "com.almworks.sqlite4java.SQLiteConnection";

  /// The longest wait for DynamoDB Local, which may still be making its tables.
  private static final long BUSY_MILLIS = 10_000;

  /// The size of a log's first index.
  private static final int INDEX_SIZE = 32 << 10;

  private WriteAheadLog() {}

  /// Whether a database can have a log. To be asked before DynamoDB Local opens it: its locks on
  /// the index would end with this look at it.
  static boolean isPossible(Path database) {
    try (FileChannel index =
            FileChannel.open(
                database.resolveSibling(database.getFileName() + "-shm"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment _ = index.map(MapMode.READ_WRITE, 0, INDEX_SIZE, arena);
      return true;
    } catch (IOException e) {
      System.err.println("The database's file gets no log: " + e);
      return false;
    }
  }

  /// Lets a database have a log. DynamoDB Local has opened it, and so has loaded SQLite, and has no
  /// call yet: two connections must never write at once, see decision 035.
  static void keep(Path database, ClassLoader loader) throws ReflectiveOperationException {
    Class<?> type = Class.forName(CONNECTION, true, loader);
    Object connection = type.getConstructor(File.class).newInstance(database.toFile());
    try {
      type.getMethod("open", boolean.class).invoke(connection, false);
      type.getMethod("setBusyTimeout", long.class).invoke(connection, BUSY_MILLIS);
      type.getMethod("exec", String.class).invoke(connection, "PRAGMA journal_mode=WAL");
    } catch (InvocationTargetException e) {
      System.err.println("The database's file gets no log: " + e.getCause());
    } finally {
      type.getMethod("dispose").invoke(connection);
    }
  }
}
