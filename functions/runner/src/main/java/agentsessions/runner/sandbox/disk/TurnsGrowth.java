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

/// A folder by which the turns of a machine, each watched by a process of its own, know of each
/// other: in a file of its own each writes how much its session has grown.
///
/// @param own the file of this turn
record TurnsGrowth(Path own) {
  private static final Logger LOG = LoggerFactory.getLogger(TurnsGrowth.class);

  /// What has not been written for so long is a dead turn's.
  private static final Duration FRESH = Duration.ofSeconds(15);

  /// Makes the folder if it is not there.
  static TurnsGrowth of(SessionFolder folder) throws IOException {
    Path all = Files.createDirectories(folder.path().resolveSibling(".turns"));
    return new TurnsGrowth(all.resolve(folder.path().getFileName()));
  }

  void write(Use growth) {
    growth.write(own);
  }

  void forget() {
    try {
      Files.deleteIfExists(own);
    } catch (IOException kept) {
      LOG.debug("left behind: {}", kept.toString());
    }
  }

  /// The most that any of the others has grown.
  long most(ToLongFunction<Use> part) throws IOException {
    long most = 0;
    try (DirectoryStream<Path> turns = Files.newDirectoryStream(own.getParent())) {
      for (Path turn : turns) {
        most = Math.max(most, turn.equals(own) ? 0 : part.applyAsLong(growth(turn)));
      }
    }
    return most;
  }

  private static Use growth(Path turn) {
    try {
      long age = System.currentTimeMillis() - Files.getLastModifiedTime(turn).toMillis();
      return age > FRESH.toMillis() ? Use.NOTHING : Use.read(turn);
    } catch (IOException gone) {
      return Use.NOTHING;
    }
  }
}
