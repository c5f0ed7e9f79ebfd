package agentsessions.runner.sandbox.disk;

import agentsessions.runner.sandbox.Question;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How many files and folders a disk can have, and how many more it can take. Asked of `stat`,
/// since the JDK does not know it.
///
/// @param total 0 where there is no bound
record Inodes(long total, long free) {
  /// Where the file system has no bound, or does not tell.
  static final Inodes UNBOUNDED = new Inodes(0, Long.MAX_VALUE);

  /// The part that is kept free: one in so many.
  private static final int PART = 50;

  private static final Pattern LINE = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");

  /// Of the disk that has this file or folder.
  static Inodes of(Path path) {
    try {
      return of(new Question(List.of("stat", "-f", "-c", "%c %d", "--", path.toString())).answer());
    } catch (IOException untold) {
      return UNBOUNDED;
    }
  }

  /// From a line with both numbers.
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
