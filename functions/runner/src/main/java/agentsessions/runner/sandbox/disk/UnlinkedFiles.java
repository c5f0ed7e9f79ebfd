package agentsessions.runner.sandbox.disk;

import agentsessions.runner.sandbox.AgentUser;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The deleted files of a turn that its processes hold open. They take space until the last process
/// has closed them, and `du`, which goes by names, does not see them.
///
/// A process whose descriptors cannot be read counts nothing, and neither does a file that is only
/// mapped, or on its way through a socket; root sees mapped files.
final class UnlinkedFiles {
  /// More than any normal turn has; beyond that the turn counts as over every limit.
  private static final int MOST = 100_000;

  /// More bytes than any disk has, and small enough to be added to without overflow.
  private static final long ENDLESS = 1L << 60;

  private static final int AT_ONCE = 1000;
  private static final Path PROCESSES = Path.of("/proc");
  private static final boolean ROOT = AgentUser.isRoot();
  private static final Pattern NO_LINK = Pattern.compile("0 ([0-9]{1,15}) ([0-9]{1,6})");

  private final Set<Long> disks;
  private final Map<Inode, String> found = new HashMap<>();

  private UnlinkedFiles(Set<Long> disks) {
    this.disks = disks;
  }

  /// The identity of a file, however often it is open.
  private record Inode(long disk, long number) {}

  /// The space that they take on the disks of these folders: allocated blocks, as `du` counts.
  ///
  /// @throws IOException if it cannot be found out
  static SpaceUsage of(Stream<ProcessHandle> processes, List<Path> folders) throws IOException {
    UnlinkedFiles files = new UnlinkedFiles(disks(folders));
    processes.forEach(files::lookInto);
    return new SpaceUsage(files.bytes(), files.found.size());
  }

  private static Set<Long> disks(List<Path> folders) {
    Set<Long> disks = new HashSet<>();
    for (Path folder : folders) {
      try {
        disks.add((long) Files.getAttribute(folder, "unix:dev"));
      } catch (IOException notThere) {
        // Then no open file in it counts.
      }
    }
    return disks;
  }

  /// Each thread may have descriptors of its own, and outlive the first one.
  private void lookInto(ProcessHandle process) {
    Path folder = PROCESSES.resolve(String.valueOf(process.pid()));
    for (Path thread : entries(folder.resolve("task"))) {
      entries(thread.resolve("fd")).forEach(this::add);
    }
    if (ROOT) {
      entries(folder.resolve("map_files")).forEach(this::add);
    }
  }

  private void add(Path file) {
    try {
      if (found.size() <= MOST && Files.getAttribute(file, "unix:nlink").equals(0)) {
        long disk = (long) Files.getAttribute(file, "unix:dev");
        if (disks.contains(disk)) {
          found.put(new Inode(disk, (long) Files.getAttribute(file, "unix:ino")), file.toString());
        }
      }
    } catch (IOException gone) {
      // Closed meanwhile, or not readable.
    }
  }

  private static List<Path> entries(Path folder) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      all.forEach(entries::add);
    } catch (IOException | DirectoryIteratorException gone) {
      // Ended meanwhile, or not readable: the entries until then count.
    }
    return entries;
  }

  private long bytes() throws IOException {
    if (found.size() > MOST) {
      return ENDLESS;
    }
    List<String> paths = List.copyOf(found.values());
    long bytes = 0;
    for (int from = 0; from < paths.size(); from += AT_ONCE) {
      bytes += bytes(paths.subList(from, Math.min(from + AT_ONCE, paths.size())));
    }
    return bytes;
  }

  private static long bytes(List<String> paths) throws IOException {
    List<String> words = new ArrayList<>(List.of("stat", "-L", "-c", "%h %b %B", "--"));
    words.addAll(paths);
    return sum(new SystemQuery(words).answer());
  }

  /// The bytes in lines with a file's link count, blocks, and block size. A file that has links has
  /// taken the descriptor of another meanwhile.
  static long sum(List<String> lines) {
    return lines.stream()
        .map(NO_LINK::matcher)
        .filter(Matcher::matches)
        .mapToLong(line -> Long.parseLong(line.group(1)) * Long.parseLong(line.group(2)))
        .sum();
  }
}
