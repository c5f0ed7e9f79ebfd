package agentsessions.local.machine;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A reserve on a disk, bytes or inodes, occupied while there is plenty and released when the disk
/// is full.
///
/// Not thread-safe.
final class DiskReserve {
  /// By then the turn that fills the disk has been stopped.
  private static final int CHECKS_BEFORE_GIVING_UP = 4;

  private static final int MOST_INODES = 256;
  private static final Logger log = LoggerFactory.getLogger(DiskReserve.class);

  private final Path place;
  private final Taking taking;
  private int checksWithoutAny;

  /// @param place the file or folder that occupies the reserve
  DiskReserve(Path place, Taking taking) {
    this.place = place;
    this.taking = taking;
  }

  /// A way to occupy an amount.
  interface Taking {
    void take(Path place, long amount) throws IOException, InterruptedException;
  }

  /// Occupies or releases the reserve; to be called at every check of the disk.
  ///
  /// @param free the free amount
  /// @param kept the amount that turns must leave to the service, of which a quarter is the
  ///   reserve; 0: no reserve
  void check(long free, long kept) {
    checksWithoutAny = free < kept / 8 ? checksWithoutAny + 1 : 0;
    try {
      if (checksWithoutAny >= CHECKS_BEFORE_GIVING_UP && Files.exists(place)) {
        MoreFiles.deleteRecursively(place, RecursiveDeleteOption.ALLOW_INSECURE);
        log.warn("The disk is full: {}, kept for this, is given up", place.getFileName());
      } else if (kept > 0 && free > 2 * kept && Files.notExists(place)) {
        taking.take(place, kept / 4);
      }
    } catch (IOException failed) {
      log.warn("The disk's {}: {}", place.getFileName(), Failures.text(failed));
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /// Occupies bytes. Where the file system cannot allocate them without writing, the file stays
  /// empty and there is no reserve.
  static void takeRoom(Path file, long bytes) throws IOException, InterruptedException {
    int _ =
        new ProcessBuilder("fallocate", "-l", Long.toString(bytes), file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (Files.notExists(file)) {
      Files.createFile(file);
    }
  }

  /// Occupies inodes by empty files, at most 256, since a database needs few at once.
  static void takeInodes(Path folder, long count) throws IOException {
    Files.createDirectory(folder);
    for (int i = 0; i < Math.min(count, MOST_INODES); i++) {
      Files.createFile(folder.resolve(Integer.toString(i)));
    }
  }
}
