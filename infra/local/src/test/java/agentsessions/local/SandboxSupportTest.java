package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.CannotStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the probe's answers, and of a probe that gives none. The probe is a script here.
class SandboxSupportTest {
  @TempDir private Path folder;

  @Test
  void aProbeThatDiesTwiceIsAskedAThirdTime() throws Exception {
    String script = "[ $(wc -l <tries) = 3 ] || kill -KILL $$; printf 'bubblewrap\\ncgroup v2\\n'";
    assertEquals(
        new SandboxSupport("bubblewrap", "", "cgroup v2"), SandboxSupport.ask(probe(script)));
    assertEquals(3, tries());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kill -KILL $$",
        "exit 1",
        "true",
        "echo bubblewrap",
        "printf 'none: no namespaces\\nnone\\n'; kill -KILL $$"
      })
  void aProbeThatDoesNotAnswerFailsTheStartForNow(String script) throws Exception {
    CannotStart failure = assertThrows(CannotStart.class, () -> SandboxSupport.ask(probe(script)));
    assertTrue(failure.isForNow());
    assertEquals(3, tries());
  }

  @Test
  void thatThereIsNoSandboxIsBelievedAtOnce() throws Exception {
    String script = "printf 'a warning\\nnone: no\\nnamespaces\\nnone\\n'";
    assertEquals(
        new SandboxSupport("none", "no\nnamespaces", "none"), SandboxSupport.ask(probe(script)));
    assertEquals(1, tries());
  }

  private ProcessBuilder probe(String script) {
    return new ProcessBuilder("bash", "-c", "echo >>tries; " + script).directory(folder.toFile());
  }

  private int tries() throws IOException {
    return Files.readAllLines(folder.resolve("tries")).size();
  }
}
