package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The debugger's port is open only on request, and on loopback alone.
final class DebugTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "--quiet, ''",
    "--debug, 'suspend=n,address=127.0.0.1:5005'",
    "--quiet --debug --port 0, 'suspend=n,address=127.0.0.1:5005'",
    "--debug-wait, 'suspend=y,address=127.0.0.1:5005'"
  })
  void theServiceIsDebuggedWhenAsked(String options, String told) throws Exception {
    String lines = ". $scripts/lib/debug.sh; debugged " + options + "; echo \"${debug[*]}\"";
    String agent = told.isEmpty() ? "" : "-agentlib:jdwp=transport=dt_socket,server=y," + told;
    assertEquals(new ScriptMachine.Ending(0, agent + "\n"), ScriptMachine.with(folder).run(lines));
  }
}
