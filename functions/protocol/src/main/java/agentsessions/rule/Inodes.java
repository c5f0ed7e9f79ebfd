package agentsessions.rule;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The inodes of a disk: the number of files and folders that it can have, and the number still
/// free. Read by the command `stat`, since the JDK does not offer them.
///
/// @param total 0 if the file system has no limit
public record Inodes(long total, long free) {
  /// The value for a file system that has no limit, or whose limit cannot be read.
  public static final Inodes UNBOUNDED = new Inodes(0, Long.MAX_VALUE);

  /// One inode in this many is kept free.
  private static final int PART = 50;

  private static final Pattern LINE = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");

  /// Reads the inodes of the disk that holds this file or folder.
  public static Inodes of(Path path) {
    ProcessBuilder command =
        new ProcessBuilder("timeout", "10", "stat", "-f", "-c", "%c %d", "--", path.toString());
    command.environment().keySet().retainAll(List.of("PATH"));
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

  /// The number of inodes that are kept free.
  public long kept() {
    return total / PART;
  }

  public boolean areNearlyGone() {
    return free < kept();
  }
}
