package agentsessions.local.machine;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A part of a disk, bytes or inodes, that is taken while there is plenty, and given up at once
/// when nothing else is left.
///
/// Used by one thread.
final class Reserve {
  /// Whoever fills the disk is stopped by then.
  private static final int LOOKS_BEFORE_GIVING_UP = 4;

  private static final int MOST_INODES = 256;
  private static final Logger log = LoggerFactory.getLogger(Reserve.class);

  private final Path place;
  private final Taking taking;
  private int looksWithoutAny;

  /// @param place a file or a folder that is there as long as the reserve is
  Reserve(Path place, Taking taking) {
    this.place = place;
    this.taking = taking;
  }

  /// How so much is taken.
  interface Taking {
    void take(Path place, long amount) throws IOException, InterruptedException;
  }

  /// To be called at every look at the disk.
  ///
  /// @param free what is left
  /// @param kept what turns leave to the service, of which a quarter is the reserve; 0 for none
  void look(long free, long kept) {
    looksWithoutAny = free < kept / 8 ? looksWithoutAny + 1 : 0;
    try {
      if (looksWithoutAny >= LOOKS_BEFORE_GIVING_UP && Files.exists(place)) {
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

  /// Where room cannot be taken without writing it there is no reserve, but an empty file.
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

  /// A folder of empty files, few of which a database needs at once.
  static void takeInodes(Path folder, long count) throws IOException {
    Files.createDirectory(folder);
    for (int i = 0; i < Math.min(count, MOST_INODES); i++) {
      Files.createFile(folder.resolve(Integer.toString(i)));
    }
  }
}
