package agentsessions.runner.sandbox.process;

import agentsessions.runner.agent.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The control group of one turn: the processes in it share its limits.
///
/// @param folders with version 2 of the kernel's control groups one folder, with version 1 one for
///   each controller
public record ControlGroup(List<Path> folders, int version) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlGroup.class);
  private static final int TRIES = 1000;

  /// The CPU weight of a turn while its sandbox is made, which is the usual one of a group.
  private static final CpuWeight STARTING = new CpuWeight("1024", "100");

  /// The CPU weight of a turn's agent.
  private static final CpuWeight AGENT = new CpuWeight("128", "25");

  /// The most bytes in the buffers of a turn's sockets, which version 1 does not count as memory.
  /// All sockets of a machine share about a tenth of its memory; once that is used up, none
  /// receives anything.
  private static final long SOCKETS = 64L << 20;

  /// The part of the processor that a group has while others want it, too.
  private record CpuWeight(String firstVersion, String secondVersion) {}

  /// The files that a process id is written to, to enter the group.
  List<Path> entrances() {
    return folders.stream().map(folder -> folder.resolve("cgroup.procs")).toList();
  }

  /// Whether the kernel has killed a process of the group for lack of memory.
  public boolean hasRunOutOfMemory() {
    Path folder = folders.getFirst();
    Path kills = folder.resolve(version == 2 ? "memory.events" : "memory.oom_control");
    return OutOfMemoryKills.count(kills) > 0;
  }

  /// The processes in the group.
  public Stream<ProcessHandle> processes() {
    return running(folders.getFirst()).stream();
  }

  /// Leaves the processor to others, as agents have to. What starts an agent has the usual weight:
  /// it is a few milliseconds of the runner's own programs, for which people wait.
  public void lowerWeight() {
    try {
      weigh(AGENT);
    } catch (IOException gone) {
      LOG.warn("a turn keeps the usual weight: {}", gone.getMessage());
    }
  }

  /// Removes the group; waits up to a second for its processes to be gone. The kernel lets go of
  /// them within a millisecond or two after their end.
  @Override
  public void close() {
    for (Path folder : folders) {
      for (int tries = 0; tries < TRIES && !remove(folder); tries++) {
        Pause.millis(1);
      }
    }
  }

  /// The same, and nobody waits for it: for a turn whose processes are gone, and which has a result
  /// to report. If this process ends first, the next one removes the group.
  public void closeSoon() {
    // A thread of the system's, since the kernel may keep it for a while.
    Thread.ofPlatform().daemon().name("groups").start(this::close);
  }

  /// Ends the processes in the group of a runner that is gone, and removes it.
  static void end(Path folder) {
    for (int tries = 0; tries < TRIES && !remove(folder); tries++) {
      running(folder).forEach(ProcessHandle::destroyForcibly);
      Pause.millis(1);
    }
  }

  /// Processes of other namespaces are listed as 0.
  private static List<ProcessHandle> running(Path folder) {
    try {
      return Files.readAllLines(folder.resolve("cgroup.procs")).stream()
          .map(Long::parseLong)
          .filter(process -> process > 0)
          .flatMap(process -> ProcessHandle.of(process).stream())
          .toList();
    } catch (IOException gone) {
      return List.of();
    }
  }

  void make(Limits limits) throws IOException {
    for (Path folder : folders) {
      Files.createDirectory(folder);
    }
    bound(limits);
  }

  /// Writes the limits to the files that the kernel has put into its folders.
  void bound(Limits limits) throws IOException {
    if (version == 2) {
      boundSecond(folders.getFirst(), limits);
    } else {
      boundFirst(limits);
    }
    weigh(STARTING);
  }

  private void weigh(CpuWeight weight) throws IOException {
    for (Path folder : folders) {
      if (version == 2) {
        writeIfThere(folder.resolve("cpu.weight"), weight.secondVersion());
      } else {
        writeIfThere(folder.resolve("cpu.shares"), weight.firstVersion());
      }
    }
  }

  private static void boundSecond(Path folder, Limits limits) throws IOException {
    write(folder.resolve("memory.max"), limits.memory());
    writeIfThere(folder.resolve("memory.swap.max"), "0");
    writeIfThere(folder.resolve("memory.oom.group"), "1");
    write(folder.resolve("pids.max"), limits.processes());
  }

  private void boundFirst(Limits limits) throws IOException {
    String sockets = String.valueOf(Math.min(SOCKETS, limits.memory() / 8));
    for (Path folder : folders) {
      String bytes = String.valueOf(limits.memory());
      writeIfThere(folder.resolve("memory.limit_in_bytes"), bytes);
      writeIfThere(folder.resolve("memory.memsw.limit_in_bytes"), bytes);
      writeIfThere(folder.resolve("memory.kmem.tcp.limit_in_bytes"), sockets);
      writeIfThere(folder.resolve("pids.max"), String.valueOf(limits.processes()));
    }
  }

  private static void write(Path file, long value) throws IOException {
    Files.writeString(file, String.valueOf(value));
  }

  private static void writeIfThere(Path file, String value) throws IOException {
    if (Files.exists(file)) {
      Files.writeString(file, value);
    }
  }

  private static boolean remove(Path folder) {
    try {
      Files.deleteIfExists(folder);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
