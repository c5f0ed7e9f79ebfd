package agentsessions.runner.sandbox.disk;

import agentsessions.runner.sandbox.AgentUser;
import agentsessions.runner.sandbox.Question;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How much folders of an agent take of the disk: allocated blocks, so a sparse file counts for
/// what it has, and inodes. Asked of `du`, since the JDK does not know it.
public final class DiskUse {
  private static final Path UNSHARE = Path.of("/usr/bin/unshare");

  private DiskUse() {}

  /// Bytes of all these together; those that are not there count nothing.
  ///
  /// @throws IOException if it cannot be found out
  public static long of(List<Path> folders) throws IOException {
    return sum(folders, "-B1");
  }

  /// Files, folders and the like in all these together, one with several names once.
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
    return sum(new Question(line).answer());
  }

  /// An agent of our own user may have closed its folders to us; in a user namespace they are open.
  private static List<String> seeingAll() {
    return AgentUser.isRoot() || !Files.isExecutable(UNSHARE)
        ? List.of()
        : List.of(UNSHARE.toString(), "--user", "--map-root-user", "--");
  }

  /// Files that vanish meanwhile make it complain and go on.
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
