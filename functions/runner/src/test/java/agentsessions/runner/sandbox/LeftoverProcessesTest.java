package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.sandbox.process.ProcessSweep;
import agentsessions.runner.sandbox.process.ProcessTree;
import agentsessions.testing.ProcessMark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Runs in a process namespace of its own, since it ends all processes that it does not know.
class LeftoverProcessesTest {
  /// Two of them are orphans without a marker in their environment by which they could be found;
  /// one restarts itself forever.
  private static final String HOSTILE =
      """
      setsid env -i sleep %1$s & setsid env -i sleep %1$s &
      again() { sleep 0.001; again & }
      again & again & echo ready; exec sleep %1$s
      """
          .formatted(ProcessMark.fresh());

  @Test
  void whateverBeganAfterTheRunnerIsEndedAndNothingElse() throws Exception {
    Optional<String> refusal = Bubblewrap.refusal();
    Assumptions.assumeTrue(refusal.isEmpty(), () -> "needs bubblewrap: " + refusal.orElse(""));
    Process inside =
        new ProcessBuilder(
                "bwrap",
                "--unshare-pid",
                "--die-with-parent",
                "--dev-bind",
                "/",
                "/",
                "--proc",
                "/proc",
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                LeftoverProcessesTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(inside.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(true, inside.waitFor(10, TimeUnit.SECONDS));
    assertEquals("ready\n0 strangers, the known one is alive: true\n", said);
  }

  /// The entry point inside the namespace.
  public static void main(String[] arguments) throws IOException {
    Process known = new ProcessBuilder("sleep", ProcessMark.fresh().toString()).start();
    LeftoverProcesses leftovers = LeftoverProcesses.fromNow();
    Process hostile = new ProcessBuilder(List.of("bash", "-c", HOSTILE)).start();
    System.out.println(hostile.inputReader().readLine());
    leftovers.end();
    System.out.println(
        "%d strangers, the known one is alive: %s".formatted(living(leftovers), known.isAlive()));
    known.destroyForcibly();
  }

  private static long living(LeftoverProcesses leftovers) {
    return ProcessHandle.allProcesses()
        .filter(process -> leftovers.kinds().apply(process) == ProcessSweep.Kind.OURS)
        .filter(process -> !ProcessTree.isGone(process))
        .count();
  }
}
