package agentsessions.runner.sandbox.process;

import agentsessions.runner.agent.Limits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// The kernel's control groups that this process may create below its own: they limit the memory,
/// processes and CPU share of everything that one turn starts.
///
/// Version 2 is used if it has the needed controllers, else version 1.
///
/// @param bases the folders in which groups are created: with version 2 one, with version 1 one for
///   each controller
/// @param version 2 or 1; 0 if no group can be created
public record ControlGroups(List<Path> bases, int version) {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final Path SELF = Path.of("/proc/self/cgroup");
  private static final String PREFIX = "agent-sessions-";
  private static final String SERVICE = PREFIX + "service";
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
  private static final String AVAILABLE = "cgroup.controllers";
  private static final String SUBTREE_CONTROL = "cgroup.subtree_control";
  private static final String PROCESSES = "cgroup.procs";
  private static final List<String> NEEDED = List.of("memory", "pids");
  private static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu");
  private static final AtomicInteger NEXT = new AtomicInteger();

  /// No groups, so no limits.
  public static final ControlGroups NONE = new ControlGroups(List.of(), 0);

  /// Finds the usable version by creating a group. Also removes the groups of runners that are
  /// gone, and ends processes left in them: a sandbox that was started within the milliseconds
  /// before its runner was killed may have survived it.
  public static ControlGroups find() {
    try {
      return find(MOUNT, Files.readAllLines(SELF));
    } catch (IOException noGroups) {
      return NONE;
    }
  }

  /// Moves all processes of this group into one below it, as version 2 requires: a group with
  /// subgroups may have no processes of its own. To be called once, by one process.
  public static void prepare() {
    try {
      prepare(MOUNT, Files.readAllLines(SELF));
    } catch (IOException notOurs) {
      // Then version 1 is used, or none.
    }
  }

  /// A service that is restarted from a process that was moved before finds the groups prepared.
  static void prepare(Path mount, List<String> self) throws IOException {
    Optional<Path> own = unified(mount, self).filter(path -> !path.endsWith(SERVICE));
    if (own.isPresent()
        && has(own.get().resolve(AVAILABLE))
        && !has(own.get().resolve(SUBTREE_CONTROL))
        && !enableControllers(own.get())) {
      Path service = Files.createDirectories(own.get().resolve(SERVICE));
      Files.readAllLines(own.get().resolve(PROCESSES)).forEach(process -> move(process, service));
      boolean _ = enableControllers(own.get());
    }
  }

  static ControlGroups find(Path mount, List<String> own) {
    Optional<ControlGroups> second =
        unified(mount, own)
            .map(path -> path.endsWith(SERVICE) ? path.getParent() : path)
            .filter(path -> has(path.resolve(SUBTREE_CONTROL)))
            .map(path -> new ControlGroups(List.of(path), 2));
    return second
        .filter(ControlGroups::isUsable)
        .or(() -> first(mount, own).filter(ControlGroups::isUsable))
        .orElse(NONE);
  }

  /// A group for one turn, to be closed when its processes are gone; empty if none can be created.
  public Optional<ControlGroup> open(Limits limits) {
    return version == 0 ? Optional.empty() : made(limits);
  }

  /// Lets a process that enters a group within the next moments do so at once, which otherwise
  /// waits for a grace period of the kernel: 5 to 20 ms, and longer on a busy machine. The kernel
  /// waits only if no process has entered any group shortly before, so this process enters the one
  /// in which it is. To be called as soon as a turn is on its way; returns at once.
  public void expectEntry() {
    if (version > 0) {
      // A thread of the system's, since the write keeps its thread for as long as the kernel waits.
      Thread.ofPlatform().daemon().name("groups").start(ControlGroups::enterOwn);
    }
  }

  private static void enterOwn() {
    try {
      enterOwn(MOUNT, Files.readAllLines(SELF));
    } catch (IOException refused) {
      // Then the turn's processes wait.
    }
  }

  static void enterOwn(Path mount, List<String> own) throws IOException {
    Optional<Path> group =
        unified(mount, own)
            .or(() -> path(own, CONTROLLERS.getFirst()).map(path -> ofMemory(mount, path)));
    if (group.isPresent()) {
      Files.writeString(group.get().resolve(PROCESSES), "0", StandardOpenOption.WRITE);
    }
  }

  private static Path ofMemory(Path mount, String path) {
    return below(mount.resolve(CONTROLLERS.getFirst()), path);
  }

  /// A description for people.
  public String text() {
    return version == 0 ? "nothing but the order in which the kernel kills" : "cgroup v" + version;
  }

  private Optional<ControlGroup> made(Limits limits) {
    try {
      String name = ofNamespace() + ProcessHandle.current().pid() + "-" + NEXT.incrementAndGet();
      return made(
          new ControlGroup(bases.stream().map(base -> base.resolve(name)).toList(), version),
          limits);
    } catch (IOException noNamespace) {
      return Optional.empty();
    }
  }

  private static Optional<ControlGroup> made(ControlGroup group, Limits limits) {
    try {
      group.make(limits);
      return Optional.of(group);
    } catch (IOException refused) {
      group.close();
      return Optional.empty();
    }
  }

  private boolean isUsable() {
    bases.forEach(ControlGroups::removeDead);
    Optional<ControlGroup> trial = made(Limits.STANDARD);
    trial.ifPresent(ControlGroup::close);
    return trial.isPresent();
  }

  /// The prefix with the process namespace: a process id is unique only in its namespace, and
  /// containers may share these groups.
  private static String ofNamespace() throws IOException {
    return PREFIX + Files.readSymbolicLink(NAMESPACE).toString().replaceAll("\\D", "") + "-";
  }

  private static void removeDead(Path base) {
    try {
      String own = ofNamespace();
      try (DirectoryStream<Path> groups = Files.newDirectoryStream(base, own + "[0-9]*")) {
        groups.forEach(group -> removeDead(group, own));
      }
    } catch (IOException kept) {
      // Groups without processes limit nothing and cost next to nothing.
    }
  }

  private static void removeDead(Path group, String own) {
    String owner = group.getFileName().toString().substring(own.length()).split("-", 2)[0];
    if (Files.notExists(Path.of("/proc", owner))) {
      ControlGroup.end(group);
    }
  }

  private static Optional<Path> unified(Path mount, List<String> own) {
    return Files.exists(mount.resolve(AVAILABLE))
        ? path(own, "").map(path -> below(mount, path))
        : Optional.empty();
  }

  /// With version 1 the memory controller is required; processes and CPU are limited where
  /// possible.
  private static Optional<ControlGroups> first(Path mount, List<String> own) {
    List<Path> bases = new ArrayList<>();
    for (String controller : CONTROLLERS) {
      Path folder = mount.resolve(controller);
      path(own, controller)
          .map(path -> below(folder, path))
          .filter(Files::isWritable)
          .ifPresent(bases::add);
    }
    boolean memory = !bases.isEmpty() && bases.getFirst().startsWith(mount.resolve("memory"));
    return memory ? Optional.of(new ControlGroups(bases, 1)) : Optional.empty();
  }

  /// The path of a controller, from lines like `4:memory:/a/b` or `0::/a/b`.
  private static Optional<String> path(List<String> own, String controller) {
    return own.stream()
        .map(line -> line.split(":", 3))
        .filter(parts -> Arrays.asList(parts[1].split(",")).contains(controller))
        .map(parts -> parts[2])
        .findFirst();
  }

  /// In a container the path may be the host's; then the mounted folder is this container's own.
  private static Path below(Path folder, String path) {
    Path own = folder.resolve(path.substring(1));
    return Files.exists(own) ? own : folder;
  }

  private static boolean has(Path controllers) {
    try {
      return Arrays.asList(Files.readString(controllers).strip().split(" ")).containsAll(NEEDED);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /// A process that has ended since, or is the kernel's own, does not stop the others from being
  /// moved.
  private static void move(String process, Path group) {
    try {
      Files.writeString(group.resolve(PROCESSES), process);
    } catch (IOException gone) {
      // If it prevents the controllers from being enabled, version 1 is used, or none.
    }
  }

  /// Tries to enable the controllers for subgroups. One request enables all or none, so it names
  /// only available ones.
  private static boolean enableControllers(Path group) throws IOException {
    List<String> there =
        Arrays.asList(Files.readString(group.resolve(AVAILABLE)).strip().split(" "));
    String wanted =
        CONTROLLERS.stream()
            .filter(there::contains)
            .map(name -> "+" + name)
            .collect(Collectors.joining(" "));
    try {
      Files.writeString(group.resolve(SUBTREE_CONTROL), wanted);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
