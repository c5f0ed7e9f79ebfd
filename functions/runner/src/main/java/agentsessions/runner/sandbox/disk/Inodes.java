package agentsessions.runner.sandbox.disk;

import agentsessions.runner.sandbox.SystemQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The inodes of a disk: how many it can have, and how many are free. Read by `stat`, since the JDK
/// does not offer it.
///
/// @param total 0 if there is no limit
record Inodes(long total, long free) {
  /// A file system without a limit, or one that does not report it.
  static final Inodes UNBOUNDED = new Inodes(0, Long.MAX_VALUE);

  /// One in this many is kept free.
  private static final int PART = 50;

  private static final Pattern LINE = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");

  /// The inodes of the disk with this file or folder.
  static Inodes of(Path path) {
    try {
      return of(
          new SystemQuery(List.of("stat", "-f", "-c", "%c %d", "--", path.toString())).answer());
    } catch (IOException untold) {
      return UNBOUNDED;
    }
  }

  /// Reads a line with both numbers.
  static Inodes of(List<String> lines) {
    Matcher line = LINE.matcher(String.join("\n", lines));
    if (!line.matches() || Long.parseLong(line.group(1)) == 0) {
      return UNBOUNDED;
    }
    return new Inodes(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)));
  }

  boolean areNearlyGone() {
    return free < total / PART;
  }
}
