package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.sandbox.AgentProcess.Ending;
import agentsessions.runner.sandbox.Errands;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a session's user reads of a command that failed.
class GitTest {
  @Test
  void lastLinesSayWhyItFailed() {
    assertEquals("2\n3\n4\nfatal: no", failure(Ending.EXIT, 128, "1\n\n2\n3\n4\nfatal: no\n"));
  }

  @Test
  void silentFailureSaysHowItEnded() {
    assertEquals("it ended without a word, with status 137.", failure(Ending.EXIT, 137, ""));
    assertEquals("it took too long.", failure(Ending.TIME_LIMIT, 143, "Cloning"));
    assertEquals(
        "it needed more memory than a turn may have.", failure(Ending.MEMORY, 137, "Killed"));
  }

  private static String failure(Ending ending, int status, String err) {
    return new Git.Answer(new Errands.Outcome(ending, status, "", err), List.of()).failure();
  }
}
