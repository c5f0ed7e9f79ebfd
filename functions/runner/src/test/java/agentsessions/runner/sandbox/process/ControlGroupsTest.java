package agentsessions.runner.sandbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The choice of control groups, on folders that look like the kernel's.
class ControlGroupsTest {
  @TempDir Path mount;

  @Test
  void secondVersionIsTakenWhereItsControllersAreHandedOn() throws IOException {
    Path own = Files.createDirectories(mount.resolve("user/agent-sessions-service"));
    Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory pids");
    Files.writeString(own.resolveSibling("cgroup.subtree_control"), "cpu memory pids\n");
    ControlGroups groups = ControlGroups.find(mount, List.of("0::/user/agent-sessions-service"));
    assertEquals(new ControlGroups(List.of(mount.resolve("user")), 2), groups);
  }

  @Test
  void onlyControllersThatAreThereAreHandedOn() throws IOException {
    Path own = secondVersion("user", "hugetlb memory pids");
    ControlGroups.prepare(mount, List.of("0::/user"));
    assertEquals("+memory +pids", Files.readString(own.resolve("cgroup.subtree_control")));
    assertTrue(Files.notExists(own.resolve("agent-sessions-service")), "nobody had to move");
  }

  @Test
  void processesMoveWhereTheyKeepControllersFromBeingHandedOn() throws IOException {
    Path own = secondVersion("user", "cpu memory pids");
    Files.delete(own.resolve("cgroup.subtree_control"));
    Files.createDirectory(own.resolve("cgroup.subtree_control")); // cannot be written
    Files.writeString(own.resolve("cgroup.procs"), "4711\n");
    ControlGroups.prepare(mount, List.of("0::/user"));
    assertEquals("4711", Files.readString(own.resolve("agent-sessions-service/cgroup.procs")));
  }

  @Test
  void whoWasMovedBeforeIsNotMovedDeeper() throws IOException {
    Path own = secondVersion("user/agent-sessions-service", "cpu memory pids");
    ControlGroups.prepare(mount, List.of("0::/user/agent-sessions-service"));
    assertEquals("", Files.readString(own.resolve("cgroup.subtree_control")));
  }

  @Test
  void turnOfTheSecondVersionHasItsBoundsAndIsAskedForItsKills() throws IOException {
    Path own = secondVersion("user", "cpu memory pids");
    ControlGroup group = new ControlGroup(List.of(own.resolve("turn")), 2);
    group.make(Limits.STANDARD);
    assertEquals("4294967296", Files.readString(own.resolve("turn/memory.max")));
    assertEquals("1024", Files.readString(own.resolve("turn/pids.max")));
    assertEquals(List.of(own.resolve("turn/cgroup.procs")), group.entrances());
    assertFalse(group.hasRunOutOfMemory());
    Files.writeString(own.resolve("turn/memory.events"), "low 0\noom 1\noom_kill 1\n");
    assertTrue(group.hasRunOutOfMemory());
  }

  @Test
  void whatARunnerThatIsGoneLeftInItsGroupIsEnded() throws IOException, InterruptedException {
    Path own = secondVersion("user", "cpu memory pids");
    Files.writeString(own.resolve("cgroup.subtree_control"), "cpu memory pids");
    String here = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    String namespace = here.replaceAll("\\D", "");
    long gone = gone();
    Process left = runningIn(own.resolve("agent-sessions-%s-%d-1".formatted(namespace, gone)));
    Process elsewhere =
        runningIn(own.resolve("agent-sessions-1%s-%d-1".formatted(namespace, gone)));
    long living = ProcessHandle.current().pid();
    Process used = runningIn(own.resolve("agent-sessions-%s-%d-1".formatted(namespace, living)));
    try {
      ControlGroups.find(mount, List.of("0::/user"));
      assertTrue(left.waitFor(10, TimeUnit.SECONDS), "nobody waits for it any more");
      assertTrue(elsewhere.isAlive(), "whose runner is in another namespace");
      assertTrue(used.isAlive(), "whose runner lives");
    } finally {
      List.of(left, elsewhere, used).forEach(Process::destroyForcibly);
    }
  }

  private static long gone() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  private static Process runningIn(Path group) throws IOException {
    Process process = new ProcessBuilder("sleep", "600").start();
    Files.createDirectories(group);
    Files.writeString(group.resolve("cgroup.procs"), "0\n" + process.pid() + "\n");
    return process;
  }

  private Path secondVersion(String path, String controllers) throws IOException {
    Path own = Files.createDirectories(mount.resolve(path));
    Files.writeString(mount.resolve("cgroup.controllers"), controllers);
    Files.writeString(own.resolve("cgroup.controllers"), controllers + "\n");
    Files.writeString(own.resolve("cgroup.subtree_control"), "");
    Files.writeString(own.resolve("cgroup.procs"), "");
    return own;
  }

  @Test
  void firstVersionIsTakenElse() throws IOException {
    Path memory = Files.createDirectories(mount.resolve("memory/a/b"));
    Path processes = Files.createDirectories(mount.resolve("pids"));
    ControlGroups groups =
        ControlGroups.find(mount, List.of("4:memory:/a/b", "8:pids:/not/here", "0::/"));
    assertEquals(new ControlGroups(List.of(memory, processes), 1), groups);
  }

  /// Version 1 counts socket buffers apart from memory, and without a limit.
  @Test
  void buffersOfSocketsHaveABoundOfTheirOwnInTheFirstVersion() throws IOException {
    Path memory = Files.createDirectories(mount.resolve("memory/turn"));
    Files.createFile(memory.resolve("memory.limit_in_bytes"));
    Path sockets = Files.createFile(memory.resolve("memory.kmem.tcp.limit_in_bytes"));
    ControlGroup group = new ControlGroup(List.of(memory), 1);
    group.bound(Limits.STANDARD);
    assertEquals("4294967296", Files.readString(memory.resolve("memory.limit_in_bytes")));
    assertEquals("67108864", Files.readString(sockets));
    group.bound(Limits.of(Map.of("TURN_MEMORY_MIB", "256")));
    assertEquals("33554432", Files.readString(sockets));
  }

  /// A folder with something in it cannot be removed, as a group with processes.
  @Test
  void nobodyWaitsForAGroupThatCannotBeRemovedYet() throws IOException {
    Path folder = Files.createDirectories(mount.resolve("turn"));
    Path busy = Files.createFile(folder.resolve("busy"));
    new ControlGroup(List.of(folder), 2).closeSoon();
    Files.delete(busy);
    Bench.await("its removal", () -> Files.notExists(folder));
  }

  @ParameterizedTest
  @CsvSource({"1, cpu.shares, 1024, 128", "2, cpu.weight, 100, 25"})
  void weightIsLoweredOnceTheSandboxIsMade(int version, String file, String before, String after)
      throws IOException {
    Path weight = Files.createFile(mount.resolve(file));
    ControlGroup group = new ControlGroup(List.of(mount), version);
    group.bound(Limits.STANDARD);
    assertEquals(before, Files.readString(weight));
    group.lowerWeight();
    assertEquals(after, Files.readString(weight));
  }

  @Test
  void theGroupThatIsEnteredAheadOfATurnIsTheOwn() throws IOException {
    Path first = Files.createDirectories(mount.resolve("memory/a/b")).resolve("cgroup.procs");
    Files.createFile(first);
    ControlGroups.enterOwn(mount, List.of("4:memory:/a/b", "0::/"));
    assertEquals("0", Files.readString(first));
    secondVersion("user", "cpu memory pids");
    Path service = Files.createDirectories(mount.resolve("user/agent-sessions-service"));
    Path second = Files.createFile(service.resolve("cgroup.procs"));
    ControlGroups.enterOwn(mount, List.of("0::/user/agent-sessions-service"));
    assertEquals("0", Files.readString(second));
    assertEquals("", Files.readString(mount.resolve("user/cgroup.procs")));
  }

  @Test
  void withoutMemoryThereIsNone() throws IOException {
    Files.createDirectories(mount.resolve("pids"));
    assertEquals(0, ControlGroups.find(mount, List.of("8:pids:/", "0::/")).version());
    assertTrue(ControlGroups.NONE.open(Limits.STANDARD).isEmpty());
  }
}
