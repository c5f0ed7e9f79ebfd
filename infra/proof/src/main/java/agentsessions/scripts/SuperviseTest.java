package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The supervisor script restarts the service after a crash, and only then. The service here is a
/// script called `serve`.
final class SuperviseTest {
  private static final String SUPERVISE = ". $scripts/lib/supervise.sh; supervise serve --port 1";
  private static final String WAITS =
      "trap 'exit 143' TERM; trap 'echo INT' INT; echo ready; while :; do sleep 0.05; done";
  @TempDir Path folder;
  private ScriptMachine shell;

  @BeforeEach
  void impatient() throws IOException {
    shell = ScriptMachine.with(folder).command("sleep", "true");
  }

  @Test
  void itIsStartedAgainWithoutItsKeyWhenItHadNoMemoryLeft() throws Exception {
    shell.command("serve", "[ \"$*\" = '--port 1 --quiet' ] || exit 3");
    ScriptMachine.Ending ending = shell.run(SUPERVISE);
    assertEquals(0, ending.status());
    assertEquals(
        "The service has ended unexpectedly (out of memory) and is started again. Nothing it had"
            + " accepted is lost.\n",
        ending.output());
    assertEquals(List.of("serve --port 1", "serve --port 1 --quiet"), served());
  }

  @Test
  void itIsStartedAgainWhenItWasKilledUntilThatIsHopeless() throws Exception {
    shell.command("serve", "kill -KILL $$");
    ScriptMachine.Ending ending = shell.run(SUPERVISE);
    assertEquals(137, ending.status());
    assertTrue(ending.output().contains("five times in a row (killed)"), ending.output());
    assertEquals(5, served().size());
  }

  @Test
  void aStartThatWasBrokenOffIsRepeated() throws Exception {
    shell.command("serve", "[ \"$*\" = '--port 1 --quiet' ] || exit 75");
    ScriptMachine.Ending ending = shell.run(SUPERVISE);
    assertEquals(0, ending.status());
    assertTrue(ending.output().contains("(it could not start) and is started again"));
    assertEquals(2, served().size());
  }

  @Test
  void afterACrashAStartThatFailsIsACrashTooUntilThatIsHopeless() throws Exception {
    shell.command("serve", "[ \"$*\" = '--port 1 --quiet' ] || kill -KILL $$\nexit 1");
    ScriptMachine.Ending ending = shell.run(SUPERVISE);
    assertEquals(1, ending.status());
    assertTrue(ending.output().contains("five times in a row (it could not start)"));
    assertEquals(5, served().size());
    assertEquals(List.of("sleep 1", "sleep 2", "sleep 4", "sleep 8"), asked("sleep"));
  }

  @Test
  void whatItRefusesToDoItRefusesOnce() throws Exception {
    for (int status : List.of(0, 1, 2, 143)) {
      shell.command("serve", "exit " + status);
      assertEquals(new ScriptMachine.Ending(status, ""), shell.run(SUPERVISE));
    }
    assertEquals(4, served().size());
  }

  @Test
  void aSignalIsHandedOnAndItsStatusIsThatOfTheService() throws Exception {
    shell.command("sleep", "exec /bin/sleep \"$@\"").command("serve", WAITS);
    Process script = ready(List.of("bash", "-c", SUPERVISE));
    script.toHandle().destroy();
    assertEquals(143, ScriptMachine.ending(script).status());
    assertEquals(1, served().size());
  }

  @Test
  void itEndsWithItsScriptHoweverThatEnds() throws Exception {
    shell.command("sleep", "exec /bin/sleep \"$@\"").command("serve", WAITS);
    Process script = ready(List.of("bash", "-c", SUPERVISE));
    Optional<ProcessHandle> service = script.children().findFirst();
    script.toHandle().destroyForcibly();
    service.orElseThrow().onExit().get(60, TimeUnit.SECONDS);
    assertFalse(service.orElseThrow().isAlive());
  }

  /// In the background of a script, bash starts a command with INT ignored for good.
  @Test
  void itHearsSignalsThatItsScriptIsDeafTo() throws Exception {
    shell.command("serve", "trap 'exit 7' INT; kill -INT $$; exit 0");
    assertEquals(7, shell.run("trap '' INT; bash -c '" + SUPERVISE + "'").status());
  }

  private Process ready(List<String> command) throws IOException {
    Process script = shell.start(command);
    BufferedReader reader = script.inputReader();
    assertEquals("ready", reader.readLine());
    return script;
  }

  private List<String> served() throws IOException {
    return asked("serve");
  }

  private List<String> asked(String command) throws IOException {
    return shell.asked().stream().filter(line -> line.startsWith(command)).toList();
  }
}
