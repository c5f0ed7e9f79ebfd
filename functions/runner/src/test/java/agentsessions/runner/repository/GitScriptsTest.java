package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.sandbox.AgentProcess.Ending;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The message that a user gets for a git command that failed.
class GitScriptsTest {
  @Test
  void lastLinesSayWhyItFailed() {
    assertEquals("2\n3\n4\nfatal: no", failure(Ending.EXIT, 128, "1\n\n2\n3\n4\nfatal: no\n"));
  }

  @Test
  void silentFailureSaysHowItEnded() {
    assertEquals("it ended without a word, with status 137.", failure(Ending.EXIT, 137, ""));
    assertEquals(
        "it took longer than the 60 seconds it had.", failure(Ending.TIME_LIMIT, 143, "Cloning"));
    assertEquals(
        "it needed more memory than a turn may have.", failure(Ending.MEMORY, 137, "Killed"));
  }

  @Test
  void cutConnectionIsNamedOnce() {
    assertEquals("fatal: early EOF\nIdle.", answer(128, "fatal: early EOF", "Idle.").failure());
    assertEquals("remote: Idle.", answer(128, "remote: Idle.", "Idle.").failure());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bash: line 1: 8806 File size limit exceeded git clone",
        "fatal: write error: File too large\nfatal: fetch-pack: invalid index-pack output",
        "error: unpack-objects died of signal 25\nfatal: unpack-objects failed",
        "fatal: fetch-pack: invalid index-pack output\n"
      })
  void tooLargeAFileIsKnownByGitsWords(String err) {
    assertTrue(answer(128, err).isFileTooLarge());
    assertTrue(answer(153, "").isFileTooLarge());
  }

  @Test
  void cutConnectionIsNoFileThatIsTooLarge() {
    String dead = "fatal: fetch-pack: invalid index-pack output";
    assertFalse(answer(128, "fatal: early EOF\n" + dead).isFileTooLarge());
    assertFalse(answer(128, dead, "Idle.").isFileTooLarge());
    assertFalse(answer(128, "fatal: early EOF").isFileTooLarge());
  }

  private static GitScripts.Answer answer(int status, String err, String... cuts) {
    return answer(Ending.EXIT, status, err, cuts);
  }

  private static GitScripts.Answer answer(Ending ending, int status, String err, String... cuts) {
    return new GitScripts.Answer(
        new ScriptRunner.Outcome(ending, status, "", err),
        List.of(),
        Duration.ofMinutes(1),
        List.of(cuts));
  }

  private static String failure(Ending ending, int status, String err) {
    return answer(ending, status, err).failure();
  }
}
