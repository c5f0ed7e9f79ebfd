package agentsessions.runner.sandbox.process;

import agentsessions.runner.agent.Limits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// The kernel's control groups, as far as this process may make some below its own: they bound the
/// memory, processes and share of the processors of everything that one turn starts.
///
/// Version 2 is taken where it has what is needed, else version 1.
///
/// @param bases the folders in which groups are made: one with version 2, one a controller with
///   version 1
/// @param version 2 or 1; 0 if no group can be made
public record ControlGroups(List<Path> bases, int version) {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final Path SELF = Path.of("/proc/self/cgroup");
  private static final String PREFIX = "agent-sessions-";
  private static final String SERVICE = PREFIX + "service";
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
  private static final String AVAILABLE = "cgroup.controllers";
  private static final String HANDED_ON = "cgroup.subtree_control";
  private static final String PROCESSES = "cgroup.procs";
  private static final List<String> NEEDED = List.of("memory", "pids");
  private static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu");
  private static final AtomicInteger NEXT = new AtomicInteger();

  /// Nothing is bounded.
  public static final ControlGroups NONE = new ControlGroups(List.of(), 0);

  /// What this process may use; found out by making a group. By the way groups of runners that are
  /// gone are removed, and what is left in them is ended: a sandbox that was started within the
  /// milliseconds before its runner was killed may have missed that.
  public static ControlGroups find() {
    try {
      return find(MOUNT, Files.readAllLines(SELF));
    } catch (IOException noGroups) {
      return NONE;
    }
  }

  /// Makes room for groups where version 2 asks for it: a group that has groups may have no
  /// processes of its own, so all move into one below it. To be called by one process, once.
  public static void prepare() {
    try {
      prepare(MOUNT, Files.readAllLines(SELF));
    } catch (IOException notOurs) {
      // Then there is another way, or none.
    }
  }

  /// Whoever starts the service anew from a process that was moved before finds it prepared.
  static void prepare(Path mount, List<String> self) throws IOException {
    Optional<Path> own = unified(mount, self).filter(path -> !path.endsWith(SERVICE));
    if (own.isPresent()
        && has(own.get().resolve(AVAILABLE))
        && !has(own.get().resolve(HANDED_ON))
        && !isHandedOn(own.get())) {
      Path service = Files.createDirectories(own.get().resolve(SERVICE));
      Files.readAllLines(own.get().resolve(PROCESSES)).forEach(process -> move(process, service));
      boolean _ = isHandedOn(own.get());
    }
  }

  static ControlGroups find(Path mount, List<String> own) {
    Optional<ControlGroups> second =
        unified(mount, own)
            .map(path -> path.endsWith(SERVICE) ? path.getParent() : path)
            .filter(path -> has(path.resolve(HANDED_ON)))
            .map(path -> new ControlGroups(List.of(path), 2));
    return second
        .filter(ControlGroups::isUsable)
        .or(() -> first(mount, own).filter(ControlGroups::isUsable))
        .orElse(NONE);
  }

  /// A group for one turn, to be closed when nothing of it runs any more; none if none can be made.
  public Optional<ControlGroup> open(Limits limits) {
    return version == 0 ? Optional.empty() : made(limits);
  }

  /// For people.
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

  /// A process's number says who it is only in its own namespace, and containers may share these
  /// groups.
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
      // They bound nothing any more and cost next to nothing.
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

  /// With version 1 memory is needed; processes and processors are bounded where it can be done.
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

  /// From lines like `4:memory:/a/b` or `0::/a/b`.
  private static Optional<String> path(List<String> own, String controller) {
    return own.stream()
        .map(line -> line.split(":", 3))
        .filter(parts -> Arrays.asList(parts[1].split(",")).contains(controller))
        .map(parts -> parts[2])
        .findFirst();
  }

  /// In a container the path may be the host's; then the mounted folder is ours.
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

  /// One that has ended since, or is the kernel's own, is no reason to leave the others.
  private static void move(String process, Path group) {
    try {
      Files.writeString(group.resolve(PROCESSES), process);
    } catch (IOException gone) {
      // If it keeps the controllers from being handed on, there is another way, or none.
    }
  }

  /// Tries it. All controllers of one request are handed on or none, so only those are named that
  /// are there.
  private static boolean isHandedOn(Path group) throws IOException {
    List<String> there =
        Arrays.asList(Files.readString(group.resolve(AVAILABLE)).strip().split(" "));
    String wanted =
        CONTROLLERS.stream()
            .filter(there::contains)
            .map(name -> "+" + name)
            .collect(Collectors.joining(" "));
    try {
      Files.writeString(group.resolve(HANDED_ON), wanted);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
