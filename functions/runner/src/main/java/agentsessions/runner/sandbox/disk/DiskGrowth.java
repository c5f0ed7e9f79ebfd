package agentsessions.runner.sandbox.disk;

import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The disk growth of all running turns of a machine, shared in a folder: each turn, which has a
/// process of its own, writes its session's growth to one file.
///
/// @param own the file of this turn
record DiskGrowth(Path own) {
  private static final Logger LOG = LoggerFactory.getLogger(DiskGrowth.class);

  /// A file that has not been written for this long belongs to a dead turn.
  private static final Duration FRESH = Duration.ofSeconds(15);

  /// Creates the folder if it does not exist.
  static DiskGrowth of(SessionFolder folder) throws IOException {
    Path all = Files.createDirectories(folder.path().resolveSibling(".turns"));
    return new DiskGrowth(all.resolve(folder.path().getFileName()));
  }

  void write(SpaceUsage growth) {
    growth.write(own);
  }

  void forget() {
    try {
      Files.deleteIfExists(own);
    } catch (IOException kept) {
      LOG.debug("left behind: {}", kept.toString());
    }
  }

  /// The largest growth of any other turn.
  long most(ToLongFunction<SpaceUsage> part) throws IOException {
    long most = 0;
    try (DirectoryStream<Path> turns = Files.newDirectoryStream(own.getParent())) {
      for (Path turn : turns) {
        most = Math.max(most, turn.equals(own) ? 0 : part.applyAsLong(growth(turn)));
      }
    }
    return most;
  }

  private static SpaceUsage growth(Path turn) {
    try {
      long age = System.currentTimeMillis() - Files.getLastModifiedTime(turn).toMillis();
      return age > FRESH.toMillis() ? SpaceUsage.NOTHING : SpaceUsage.read(turn);
    } catch (IOException gone) {
      return SpaceUsage.NOTHING;
    }
  }
}
