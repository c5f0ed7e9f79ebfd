package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Finds and ends processes that no namespace holds together.
public final class ProcessTree {
  private static final String[] GONE = {"Z"};

  /// The last of proc(5)'s 52 fields, of which the first two are the id and the name.
  private static final int STATUS = 52 - 3;

  private ProcessTree() {}

  /// Kills a process, all that descends from it, and all whose environment has `marker`
  /// (`NAME=value`), again and again until none is left; gives up after 1,000 rounds.
  public static void end(Optional<ProcessHandle> root, String marker) {
    for (int round = 0; round < 1000; round++) {
      long alive =
          all(root, marker)
              .filter(process -> !isGone(process))
              .map(ProcessHandle::destroyForcibly)
              .count();
      if (alive == 0) {
        return;
      }
      Pause.millis(2);
    }
  }

  /// A process and all that descends from it.
  public static Stream<ProcessHandle> of(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants());
  }

  /// These, and all whose environment has `marker`; some of them perhaps twice.
  public static Stream<ProcessHandle> all(Optional<ProcessHandle> root, String marker) {
    return Stream.concat(root.stream().flatMap(ProcessTree::of), marked(marker));
  }

  /// Returns when a process that has been killed is gone. There is no bound: as long as it is
  /// there, nobody else may have its session's folder.
  public static void awaitGone(ProcessHandle process) {
    while (!isGone(process)) {
      Pause.millis(2);
    }
  }

  /// A zombie counts as gone: it waits for its parent only.
  public static boolean isGone(ProcessHandle process) {
    return !process.isAlive() || state(process) == 'Z';
  }

  /// The status of a process that has ended and whose parent has not noticed: as a shell has it,
  /// 128 plus the number after a signal. Empty while it runs, and when its parent knows.
  public static OptionalInt unnoticedStatus(ProcessHandle process) {
    String[] fields = process.isAlive() ? fields(process) : GONE;
    if (!fields[0].equals("Z") || fields.length <= STATUS) {
      return OptionalInt.empty();
    }
    int status = Integer.parseInt(fields[STATUS]);
    int signal = status & 0x7f;
    return OptionalInt.of(signal == 0 ? status >> 8 : 128 + signal);
  }

  private static char state(ProcessHandle process) {
    return fields(process)[0].charAt(0);
  }

  /// What the kernel says of a process behind its name, see proc(5).
  private static String[] fields(ProcessHandle process) {
    try {
      String stat =
          Files.readString(
              Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
      return stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ");
    } catch (IOException gone) {
      return GONE;
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
