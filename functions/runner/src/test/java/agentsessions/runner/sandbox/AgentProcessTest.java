package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.ProcessOutput;
import agentsessions.runner.agent.Signal;
import agentsessions.runner.sandbox.process.ControlGroups;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is known of an agent's process once it has ended.
class AgentProcessTest {
  private static final AgentEntry.Interrupt USUAL =
      new AgentEntry.Interrupt(Signal.INT, null, null);

  @TempDir Path folder;

  /// Its reader is held up for two seconds, as on a machine that has no time for it.
  @Test
  void whatItPrintedIsReadToTheEndHoweverSlowly() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    StringBuilder read = new StringBuilder();
    ProcessOutput out =
        new ProcessOutput(
            0,
            line -> {
              await(slow);
              read.append(line.length);
            },
            Mask.NONE);
    AgentProcess process =
        AgentProcess.start(
            new ProcessBuilder("echo", "said"),
            sandbox(),
            out,
            new ProcessOutput(0, line -> {}, Mask.NONE),
            Limits.STANDARD);
    CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS).execute(slow::countDown);
    process.await(Duration.ofMinutes(1)::toNanos, USUAL);
    assertEquals("4", read.toString());
  }

  private Sandbox sandbox() throws Exception {
    SessionFolder session =
        new SessionFolders(folder, Optional.empty())
            .of(UUID.randomUUID().toString())
            .open(Map.of());
    return new Unconfined(
        session,
        session.makeTurnFolder(""),
        new InstalledTools(Optional.empty()),
        Limits.STANDARD,
        ControlGroups.NONE,
        false,
        Optional.empty());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
