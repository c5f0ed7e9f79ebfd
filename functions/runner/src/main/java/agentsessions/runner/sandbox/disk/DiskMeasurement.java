package agentsessions.runner.sandbox.disk;

import agentsessions.runner.sandbox.AgentUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The disk use of an agent's folders: allocated blocks, so a sparse file counts only with those,
/// and inodes. Measured by `du`, since the JDK does not offer it.
public final class DiskMeasurement {
  private static final Path UNSHARE = Path.of("/usr/bin/unshare");

  private DiskMeasurement() {}

  /// The bytes of all these folders together; missing ones count nothing.
  ///
  /// @throws IOException if it cannot be found out
  public static long of(List<Path> folders) throws IOException {
    return sum(folders, "-B1");
  }

  /// The inodes of all these folders together; a file with several names counts once.
  ///
  /// @throws IOException if it cannot be found out
  static long inodes(List<Path> folders) throws IOException {
    return sum(folders, "--inodes");
  }

  private static long sum(List<Path> folders, String what) throws IOException {
    List<String> there = folders.stream().filter(Files::exists).map(Path::toString).toList();
    if (there.isEmpty()) {
      return 0;
    }
    List<String> line = new ArrayList<>(seeingAll());
    line.addAll(List.of("du", "-s", "-x", what, "--"));
    line.addAll(there);
    return sum(new SystemQuery(line).answer());
  }

  /// An agent of the runner's own user may have removed the permissions of its folders; root of a
  /// user namespace can read them.
  private static List<String> seeingAll() {
    return AgentUser.isRoot() || !Files.isExecutable(UNSHARE)
        ? List.of()
        : List.of(UNSHARE.toString(), "--user", "--map-root-user", "--");
  }

  /// `du` reports files that vanish meanwhile on standard error and goes on.
  private static long sum(List<String> lines) throws IOException {
    try {
      return lines.stream()
          .mapToLong(line -> Long.parseLong(line.substring(0, line.indexOf('\t'))))
          .sum();
    } catch (RuntimeException odd) {
      throw new IOException("du: " + odd.getMessage(), odd);
    }
  }
}
