package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds and ends processes that no namespace holds together.
public final class ProcessTree {
  private ProcessTree() {}

  /// Kills a process, all that descends from it, and all whose environment has `marker`
  /// (`NAME=value`), again and again until none is left; gives up after 1,000 rounds.
  static void end(Optional<ProcessHandle> root, String marker) {
    for (int round = 0; round < 1000; round++) {
      Stream<ProcessHandle> tree =
          root.stream().flatMap(first -> Stream.concat(Stream.of(first), first.descendants()));
      long alive =
          Stream.concat(tree, marked(marker))
              .filter(process -> !isGone(process))
              .map(ProcessHandle::destroyForcibly)
              .count();
      if (alive == 0) {
        return;
      }
      Pause.millis(2);
    }
  }

  /// Returns when a process that has been killed is gone. There is no bound: as long as it is
  /// there, nobody else may have its session's folder.
  static void awaitGone(ProcessHandle process) {
    while (!isGone(process)) {
      Pause.millis(2);
    }
  }

  /// A zombie counts as gone: it waits for its parent only.
  public static boolean isGone(ProcessHandle process) {
    return !process.isAlive() || state(process) == 'Z';
  }

  private static char state(ProcessHandle process) {
    try {
      String stat =
          Files.readString(
              Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException gone) {
      return 'Z';
    }
  }

  private static Stream<ProcessHandle> marked(String marker) {
    return ProcessHandle.allProcesses()
        .filter(process -> environment(process).contains("\0" + marker + "\0"));
  }

  private static String environment(ProcessHandle process) {
    try {
      return "\0"
          + Files.readString(
              Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException notOurs) {
      return "";
    }
  }
}
