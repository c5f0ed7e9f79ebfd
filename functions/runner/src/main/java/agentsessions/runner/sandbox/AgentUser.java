package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Whom an agent runs as. A runner that is root gives each session a user of its own, because
/// limits on processes do not hold for root and are counted by user; any other runner can only be
/// itself.
///
/// @param id empty: the runner's own user
public record AgentUser(OptionalInt id) {
  /// A range that neither distributions nor systemd hand out, and that fits in 16 bits. Two
  /// sessions may meet in one id; what they share then is the count of processes, never a file or a
  /// process.
  private static final int FIRST = 60_578;

  private static final int COUNT = 600;

  static AgentUser of(String sessionId) {
    return new AgentUser(
        isRoot()
            ? OptionalInt.of(FIRST + Math.floorMod(sessionId.hashCode(), COUNT))
            : OptionalInt.empty());
  }

  static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException noProc) {
      return false;
    }
  }

  /// Arguments that put a command under this user, with no privilege left.
  List<String> setpriv() {
    return id.isEmpty()
        ? List.of()
        : List.of(
            "/usr/bin/setpriv",
            "--reuid=" + id.getAsInt(),
            "--regid=" + id.getAsInt(),
            "--clear-groups",
            "--inh-caps=-all",
            "--ambient-caps=-all",
            "--bounding-set=-all",
            "--");
  }

  /// Hands a file or folder over; links are not followed.
  public void own(Path path) throws IOException {
    if (id.isPresent()) {
      Files.setAttribute(path, "unix:uid", id.getAsInt(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", id.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  public void ownAll(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        own(path);
      }
    }
  }
}
