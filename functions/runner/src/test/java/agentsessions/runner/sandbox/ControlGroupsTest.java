package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which control groups are taken, on folders that look like the kernel's.
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
  void firstVersionIsTakenElse() throws IOException {
    Path memory = Files.createDirectories(mount.resolve("memory/a/b"));
    Path processes = Files.createDirectories(mount.resolve("pids"));
    ControlGroups groups =
        ControlGroups.find(mount, List.of("4:memory:/a/b", "8:pids:/not/here", "0::/"));
    assertEquals(new ControlGroups(List.of(memory, processes), 1), groups);
  }

  @Test
  void withoutMemoryThereIsNone() throws IOException {
    Files.createDirectories(mount.resolve("pids"));
    assertEquals(0, ControlGroups.find(mount, List.of("8:pids:/", "0::/")).version());
    assertTrue(ControlGroups.NONE.open(Limits.STANDARD).isEmpty());
  }
}
