package agentsessions.agents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The TCP ports on which this process and its descendants listen. Ports of other processes of the
/// machine are left out.
final class ListeningPorts {
  private static final String LISTENS = "0A";

  private ListeningPorts() {}

  static Set<Integer> own() throws IOException {
    Set<String> sockets =
        Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
            .flatMap(process -> sockets(process.pid()))
            .collect(Collectors.toSet());
    try (Stream<String> v4 = Files.lines(Path.of("/proc/net/tcp"));
        Stream<String> v6 = Files.lines(Path.of("/proc/net/tcp6"))) {
      return Stream.concat(v4, v6)
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words[3].equals(LISTENS) && sockets.contains(words[9]))
          .map(words -> Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16))
          .collect(Collectors.toSet());
    }
  }

  /// The inode numbers of a process's sockets; empty if the process has ended.
  private static Stream<String> sockets(long pid) {
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return open
          .map(ListeningPorts::target)
          .filter(target -> target.startsWith("socket:["))
          .map(target -> target.substring("socket:[".length(), target.length() - 1))
          .toList()
          .stream();
    } catch (IOException gone) {
      return Stream.empty();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closed) {
      return "";
    }
  }
}
