package agentsessions.runner.sandbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import agentsessions.testing.ProcessMark;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Children are found as the JDK finds them, without a look at every process of the machine.
class ProcessTreeTest {
  private static final int CHAINS = 5;

  @Test
  void childrenOfAProcessOfOneThreadAreThoseThatTheMachineHas() throws IOException {
    Process parent =
        new ProcessBuilder("sh", "-c", "exec 3<&0; cat <&3 & cat <&3 & echo ready; wait").start();
    try {
      assertEquals("ready", parent.inputReader().readLine());
      List<Long> all = pids(parent.children());
      assertEquals(2, all.size());
      assertEquals(all, pids(ProcessTree.childrenOfSingleThreaded(parent.toHandle())));
    } finally {
      parent.descendants().forEach(ProcessHandle::destroyForcibly);
      parent.destroyForcibly();
    }
  }

  @Test
  void aProcessThatIsGoneHasNone() throws Exception {
    Process parent = new ProcessBuilder("true").start();
    assertEquals(0, parent.waitFor());
    assertEquals(List.of(), pids(ProcessTree.childrenOfSingleThreaded(parent.toHandle())));
  }

  /// Each generation forks the next and is gone, so that a list of the processes has seldom the one
  /// that lives when the list is gone through.
  @Test
  void aProcessThatForksAndIsGoneDoesNotHideItsChild() throws IOException {
    for (int chain = 0; chain < CHAINS; chain++) {
      ProcessMark mark = ProcessMark.fresh();
      String script =
          "next() { [ $1 = 0 ] && exec %s; next $(($1 - 1)) & }; next 200 & echo ready"
              .formatted(mark.sleep());
      ProcessBuilder shell = new ProcessBuilder("sh", "-c", script);
      shell.environment().put("CHAIN", mark.toString());
      Process root = shell.start();
      assertEquals("ready", root.inputReader().readLine());
      ProcessTree.end(Optional.of(root.toHandle()), "CHAIN=" + mark);
      assertFalse(mark.isRunning(), "chain " + chain);
    }
  }

  private static List<Long> pids(Stream<ProcessHandle> processes) {
    return processes.map(ProcessHandle::pid).sorted().toList();
  }
}
