package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// The processes below a root process that no namespace holds together: finds and ends them.
public final class ProcessTree {
  private static final String[] GONE = {"Z"};

  private static final int MOST_DOUBTS = 20;

  /// The last of proc(5)'s 52 fields, of which the first two are the id and the name.
  private static final int STATUS = 52 - 3;

  private ProcessTree() {}

  /// Kills a process, its descendants, and all processes whose environment has `marker`
  /// (`NAME=value`), repeatedly until none is left; gives up after 1,000 rounds.
  public static void end(Optional<ProcessHandle> root, String marker) {
    ProcessSweep sweep = new ProcessSweep(process -> kind(process, marker), MOST_DOUBTS);
    for (int round = 0; round < 1000; round++) {
      long below =
          root.stream()
              .flatMap(ProcessTree::of)
              .filter(process -> !isGone(process))
              .map(ProcessHandle::destroyForcibly)
              .count();
      if (sweep.leavesNone() && below == 0) {
        return;
      }
      Pause.millis(2);
    }
  }

  /// The children of a process that has one thread, by the list that most kernels keep of them: to
  /// go through all processes of a machine takes milliseconds.
  public static Stream<ProcessHandle> childrenOfSingleThreaded(ProcessHandle process) {
    long id = process.pid();
    try {
      String listed = Files.readString(Path.of("/proc/%1$d/task/%1$d/children".formatted(id)));
      return Stream.of(listed.strip().split(" "))
          .filter(child -> !child.isEmpty())
          .flatMap(child -> ProcessHandle.of(Long.parseLong(child)).stream());
    } catch (IOException unlisted) {
      return process.children();
    }
  }

  /// A process and its descendants.
  public static Stream<ProcessHandle> of(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants());
  }

  /// A process, its descendants, and all processes whose environment has `marker`; some perhaps
  /// twice.
  public static Stream<ProcessHandle> all(Optional<ProcessHandle> root, String marker) {
    return Stream.concat(root.stream().flatMap(ProcessTree::of), marked(marker));
  }

  /// Waits until a killed process is gone. There is no limit: as long as it exists, no other turn
  /// may have its session's folder.
  public static void awaitGone(ProcessHandle process) {
    while (!isGone(process)) {
      Pause.millis(2);
    }
  }

  /// Whether a process is gone; a zombie counts as gone, it only waits for its parent.
  public static boolean isGone(ProcessHandle process) {
    return !process.isAlive() || state(process) == 'Z';
  }

  /// The exit status of a zombie, whose parent has not collected it: as a shell has it, 128 plus
  /// the number after a signal. Empty while it runs, and when its parent has collected it.
  public static OptionalInt unreapedStatus(ProcessHandle process) {
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

  /// The fields of `/proc/PID/stat` behind the name, see proc(5).
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
        .filter(process -> kind(process, marker) == ProcessSweep.Kind.OURS);
  }

  private static ProcessSweep.Kind kind(ProcessHandle process, String marker) {
    try {
      String environment =
          Files.readString(
              Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
      if (environment.isEmpty()) {
        return ProcessSweep.Kind.UNKNOWN;
      }
      return ("\0" + environment).contains("\0" + marker + "\0")
          ? ProcessSweep.Kind.OURS
          : ProcessSweep.Kind.OTHER;
    } catch (AccessDeniedException notOurs) {
      return ProcessSweep.Kind.OTHER;
    } catch (IOException gone) {
      return ProcessSweep.Kind.UNKNOWN;
    }
  }
}
