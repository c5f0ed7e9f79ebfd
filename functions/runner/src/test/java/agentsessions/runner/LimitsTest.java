package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Limits;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Agents that take more than they may.
class LimitsTest {
  private static final int MIB = 1024 * 1024;
  private static final Limits SMALL =
      new Limits(
          4 * MIB, MIB, 100, 256, 256 * MIB, 8 * MIB, MIB, MIB, 2 * MIB, 40, 1000, 2000, MIB, MIB);

  /// A disk that never has as much free space as must be kept free.
  private static final Limits FULL =
      new Limits(
          4 * MIB,
          MIB,
          100,
          256,
          256 * MIB,
          1024 * MIB,
          Long.MAX_VALUE,
          MIB,
          2 * MIB,
          40,
          1000,
          2000,
          MIB,
          MIB);

  @TempDir Path folder;
  private final ProcessMark mark = ProcessMark.fresh();

  @Test
  void endlessOutputIsStopped() throws IOException {
    JsonNode result = run("yes " + mark);
    assertEquals("LIMIT_EXCEEDED", result.at("/error/code").textValue());
    assertFalse(mark.isRunning());
  }

  @Test
  void longReplyIsCutWithANote() throws IOException {
    try (Bench bench = Bench.sandboxed(folder, SMALL)) {
      JsonNode result = bench.run("head -c 3000000 /dev/zero | tr '\\0' x");
      assertEquals(Limits.REPLY, result.get("reply").textValue().length());
      assertTrue(bench.said().contains("longer than 1 MiB"), bench.said());
    }
  }

  @Test
  void hugeFileCannotBeWritten() throws IOException {
    JsonNode result = run("head -c 100000000 /dev/zero > big");
    assertEquals("AGENT_FAILED", result.at("/error/code").textValue());
    Path object = folder.resolve("objects").resolve(result.at("/artifacts/0/key").textValue());
    assertEquals(MIB, Files.size(object));
  }

  @Test
  void tooMuchInAllFilesIsSaid() throws IOException {
    JsonNode result = run("for i in $(seq 9); do head -c 1000000 /dev/zero > $i; done; echo ok");
    assertEquals("LIMIT_EXCEEDED", result.at("/error/code").textValue());
  }

  @Test
  void whoFillsTheDiskIsStoppedAndHasNothingStoredOnceMore() throws IOException {
    JsonNode result =
        run(FULL, "for i in $(seq 30); do head -c 1000000 /dev/zero > $i; done; sleep 60");
    assertEquals("LIMIT_EXCEEDED", result.at("/error/code").textValue());
    assertTrue(result.at("/error/message").textValue().contains("written the most"));
    assertEquals(0, result.get("artifacts").size());
  }

  @Test
  void forkBombIsContained() throws IOException {
    JsonNode result = run("bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1; echo survived");
    assertTrue(result.hasNonNull("outcome"), result.toString());
    assertEquals("still here", run("echo still here").get("reply").textValue());
  }

  /// The service never answers these requests, and each is given up only after some seconds.
  @Test
  void slowEventsHoldTheResultBackForSecondsOnly() throws IOException {
    try (Bench bench = Bench.sandboxed(folder)) {
      bench.service.fault("events", Collections.nCopies(100, StandIn.Fault.NEVER));
      bench
          .entry
          .withArray("events")
          .addObject()
          .put("type", "message")
          .put("text", "/m")
          .putObject("where")
          .put("/t", 1);
      CompletableFuture<Void> turn =
          bench.start("echo '{\"t\": 1, \"m\": \"one\"}'; echo '{\"t\": 1, \"m\": \"two\"}'");
      Bench.await("the result", () -> !bench.service.result().isMissingNode());
      assertEquals("completed", bench.service.result().get("outcome").textValue());
      turn.join();
    }
  }

  private JsonNode run(String script) throws IOException {
    return run(SMALL, script);
  }

  private JsonNode run(Limits limits, String script) throws IOException {
    try (Bench bench = Bench.sandboxed(folder, limits)) {
      return bench.run(script);
    }
  }
}
