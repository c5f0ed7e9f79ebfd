package agentsessions.rule;

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
/// @param total 0 where there is no bound
public record Inodes(long total, long free) {
  /// Where the file system has no bound, or does not tell.
  public static final Inodes UNBOUNDED = new Inodes(0, Long.MAX_VALUE);

  /// The part that is kept free: one in so many.
  private static final int PART = 50;

  private static final Pattern LINE = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");

  /// Of the disk that has this file or folder.
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

  /// How many are kept free.
  public long kept() {
    return total / PART;
  }

  public boolean areNearlyGone() {
    return free < kept();
  }
}
