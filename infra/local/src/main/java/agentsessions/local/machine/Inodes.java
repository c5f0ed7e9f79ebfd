package agentsessions.local.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The inodes of a disk: how many files and folders it can have, and how many are free. Read by the
/// command `stat`, since the JDK does not offer them.
///
/// @param total 0 if there is no limit
record Inodes(long total, long free) {
  /// The value for file systems without a limit, or where it is unknown.
  static final Inodes UNBOUNDED = new Inodes(0, Long.MAX_VALUE);

  /// The service's share, which turns must leave free: one in fifty.
  private static final int PART = 50;

  /// More than four cores can use up in ten seconds.
  private static final int PLENTY = 1_000_000;

  private static final Pattern LINE = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");

  /// The inodes of the disk that has this file or folder.
  static Inodes of(Path path) {
    ProcessBuilder command =
        new ProcessBuilder("timeout", "10", "stat", "-f", "-c", "%c %d", "--", path.toString());
    try (BufferedReader lines =
        command
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .inputReader(StandardCharsets.UTF_8)) {
      return of(lines.lines().toList());
    } catch (IOException | UncheckedIOException untold) {
      return UNBOUNDED;
    }
  }

  /// Parses the output of `stat`, a line with both numbers.
  static Inodes of(List<String> lines) {
    Matcher line = LINE.matcher(String.join("\n", lines));
    if (!line.matches() || Long.parseLong(line.group(1)) == 0) {
      return UNBOUNDED;
    }
    return new Inodes(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)));
  }

  /// The number of inodes that turns must leave to the service.
  long kept() {
    return total / PART;
  }

  boolean areNearlyGone() {
    return free < kept();
  }

  boolean arePlenty() {
    return free - kept() > PLENTY;
  }
}
