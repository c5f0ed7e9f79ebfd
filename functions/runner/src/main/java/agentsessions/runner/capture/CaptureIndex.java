package agentsessions.runner.capture;

import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The index of the files that the last committed capture of a session has seen, by the path at
/// which the agent sees them.
record CaptureIndex(Map<String, Stamp> files) {

  /// The identity of a file's content: size, modification time in nanoseconds, inode, and checksum.
  ///
  /// @param sha256 null for a file that was seen and left out
  public record Stamp(long size, long mtime, String inode, @Nullable String sha256) {
    static Stamp of(BasicFileAttributes file) {
      return new Stamp(
          file.size(),
          file.lastModifiedTime().to(TimeUnit.NANOSECONDS),
          String.valueOf(file.fileKey()),
          null);
    }

    Stamp with(@Nullable String digest) {
      return new Stamp(size, mtime, inode, digest);
    }

    /// The stamp of the same file after it was restored elsewhere on a disk; this one if size or
    /// time differ. Times are compared to the microsecond, which is all that archives reliably
    /// keep.
    Stamp at(Stamp place) {
      boolean same = size == place.size && mtime / 1000 == place.mtime / 1000;
      return same ? place.with(sha256) : this;
    }

    boolean isUntouchedSince(Stamp before) {
      return size == before.size && mtime == before.mtime && inode.equals(before.inode);
    }
  }

  static CaptureIndex empty() {
    return new CaptureIndex(new HashMap<>());
  }

  /// Reads the index; one that cannot be read counts as empty, so files are captured once more.
  static CaptureIndex load(Path file) throws IOException {
    try {
      return Json.MAPPER.readValue(Files.readAllBytes(file), CaptureIndex.class);
    } catch (NoSuchFileException | JsonProcessingException none) {
      return empty();
    }
  }

  void save(Path file) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.write(fresh, Json.MAPPER.writeValueAsBytes(this));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  Optional<Stamp> stamp(String path) {
    return Optional.ofNullable(files.get(path));
  }

  /// Whether a file may have the content that is recorded of it. One of another size has not, so it
  /// need not be read.
  boolean mayHave(CapturedFile found) {
    return stamp(found.path())
        .filter(stamp -> stamp.sha256() != null && stamp.size() == found.stamp().size())
        .isPresent();
  }

  boolean hasContent(String path, String sha256) {
    return stamp(path).filter(stamp -> Objects.equals(stamp.sha256(), sha256)).isPresent();
  }
}
