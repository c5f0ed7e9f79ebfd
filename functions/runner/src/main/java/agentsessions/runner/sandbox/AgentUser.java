package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// The operating system user of an agent. A runner that is root gives each session a user of its
/// own, because limits on processes do not hold for root and are counted by user; any other runner
/// can only use its own user.
///
/// @param id empty: the runner's own user
public record AgentUser(OptionalInt id) {
  /// A range of ids that neither distributions nor systemd assign, and that fits in 16 bits. Two
  /// sessions may get the same id; they then share the count of processes, where no control group
  /// counts them, and never a file or a process.
  private static final int FIRST = 60_578;

  private static final int COUNT = 600;

  /// The id inside its user namespace of an agent that runs as the runner's own user.
  static final int UNPRIVILEGED = 1000;

  static AgentUser of(String sessionId) {
    return new AgentUser(
        isRoot()
            ? OptionalInt.of(FIRST + Math.floorMod(sessionId.hashCode(), COUNT))
            : OptionalInt.empty());
  }

  /// Without the capability SETPCAP, as in a task, root cannot empty the bounding set; what is left
  /// in it is of no use without privilege.
  private static final int SETPCAP = 8;

  private static final List<String> NO_BOUNDS =
      hasCapability(SETPCAP) ? List.of("--bounding-set=-all") : List.of();

  public static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException noProc) {
      return false;
    }
  }

  /// Arguments that put a command under this user, with no privilege left.
  List<String> setpriv() {
    if (id.isEmpty()) {
      return List.of();
    }
    List<String> words =
        new ArrayList<>(
            List.of(
                "/usr/bin/setpriv",
                "--reuid=" + id.getAsInt(),
                "--regid=" + id.getAsInt(),
                "--clear-groups",
                "--inh-caps=-all",
                "--ambient-caps=-all"));
    words.addAll(NO_BOUNDS);
    words.add("--");
    return words;
  }

  private static boolean hasCapability(int number) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("CapEff:"))
          .anyMatch(
              line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> number) % 2 != 0);
    } catch (IOException noProc) {
      return false;
    }
  }

  /// Makes this user the owner of a file or folder; links are not followed.
  public void own(Path path) throws IOException {
    if (id.isPresent()) {
      Files.setAttribute(path, "unix:uid", id.getAsInt(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", id.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /// Makes this user the owner, with these permissions. Root may have to own the path for a moment:
  /// with few capabilities it can only change its own files.
  public void own(Path path, String permissions) throws IOException {
    if (id.isPresent()) {
      Files.setAttribute(path, "unix:uid", 0, LinkOption.NOFOLLOW_LINKS);
    }
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    own(path);
  }

  /// Whether a file or folder belongs to this user and not to the runner's.
  public boolean owns(Path path) throws IOException {
    return id.isPresent()
        && Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(id.getAsInt());
  }

  public void ownAll(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        own(path);
      }
    }
  }
}
