package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first process of a sandbox's namespace may notice late that the agent has ended: on a
/// machine that has no time for it, or because the agent holds it. What the agent came to does not
/// depend on it.
class HeldNamespaceTest {
  @TempDir Path folder;

  @Test
  void replyOfAnAgentWhoseEndWasNotNoticedIsKept() throws Exception {
    JsonNode result = endsWhileHeld("echo done");
    assertEquals("done", result.path("reply").asText(), result.toString());
  }

  @Test
  void statusOfAnAgentWhoseEndWasNotNoticedIsItsOwn() throws Exception {
    JsonNode result = endsWhileHeld("sleep 300 & echo wrong >&2; exit 3");
    assertEquals(
        "The agent ended with status 3: wrong",
        result.path("error").path("message").asText(),
        result.toString());
  }

  private JsonNode endsWhileHeld(String script) throws Exception {
    try (Bench bench = Bench.sandboxed(folder)) {
      CompletableFuture<Void> turn =
          bench.start("touch ready; until [ -e go ]; do sleep 0.05; done; " + script);
      Bench.await("the script's start", () -> Files.exists(bench.work("ready")));
      hold(first(bench));
      Files.createFile(bench.work("go"));
      turn.join();
      return bench.service.result();
    }
  }

  /// On a busy machine a process that was sent SIGSTOP may still collect the agent's end before it
  /// stops, and then report nothing.
  private static void hold(ProcessHandle process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start();
    assertEquals(0, kill.waitFor());
    Bench.await("its stop", () -> Bench.kernel(process, "status").contains("\nState:\tT"));
  }

  /// The first process of this bench's sandbox: bubblewrap started by bubblewrap.
  private static ProcessHandle first(Bench bench) {
    return ProcessHandle.current()
        .descendants()
        .filter(process ->
            isBubblewrap(process)
                && bench.isInSandbox(process)
                && process.parent().filter(HeldNamespaceTest::isBubblewrap).isPresent())
        .findFirst()
        .orElseThrow();
  }

  private static boolean isBubblewrap(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/bwrap");
  }
}
