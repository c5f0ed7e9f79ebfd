package agentsessions.runner.sandbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Children are found as the JDK finds them, without a look at every process of the machine.
class ProcessTreeTest {
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

  private static List<Long> pids(Stream<ProcessHandle> processes) {
    return processes.map(ProcessHandle::pid).sorted().toList();
  }
}
