package agentsessions.runner.sandbox.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The disk use of a session: bytes, and inodes, of which each file and each folder has one.
record SpaceUsage(long bytes, long inodes) {
  static final SpaceUsage NOTHING = new SpaceUsage(0, 0);

  private static final Logger LOG = LoggerFactory.getLogger(SpaceUsage.class);

  SpaceUsage plus(SpaceUsage other) {
    return new SpaceUsage(bytes + other.bytes, inodes + other.inodes);
  }

  SpaceUsage minus(SpaceUsage other) {
    return new SpaceUsage(bytes - other.bytes, inodes - other.inodes);
  }

  /// Reads it from a file; zero if there is none.
  static SpaceUsage read(Path file) {
    try {
      return of(Files.readString(file).strip());
    } catch (IOException none) {
      return NOTHING;
    }
  }

  private static SpaceUsage of(String text) {
    String[] parts = text.split(" ", 2);
    try {
      return parts.length < 2
          ? NOTHING
          : new SpaceUsage(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    } catch (NumberFormatException torn) {
      return NOTHING;
    }
  }

  /// Writes a padded text of constant length over the old one, which works on a full disk.
  void write(Path file) {
    try {
      Files.write(
          file,
          text().getBytes(StandardCharsets.US_ASCII),
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE);
    } catch (IOException full) {
      LOG.debug("not written: {}", full.toString());
    }
  }

  private String text() {
    return "%019d %019d".formatted(Math.max(0, bytes), Math.max(0, inodes));
  }
}
