package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every script prints its help, and refuses unknown arguments, on a machine without the tools that
/// it needs: no JDK, no Maven, no package manager.
final class ExplainTest {
  @TempDir Path folder;

  static Stream<String> scripts() throws IOException {
    try (Stream<Path> scripts = Files.list(ScriptMachine.SCRIPTS)) {
      return scripts
          .filter(Files::isRegularFile)
          .map(each -> each.getFileName().toString())
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void helpIsPrintedAtOnce(String name) throws Exception {
    ScriptMachine shell = ScriptMachine.with(folder);
    for (String option : List.of("-h", "--help")) {
      ScriptMachine.Ending ending = shell.run("$scripts/" + name + " " + option);
      assertEquals(0, ending.status(), ending.output());
      assertTrue(ending.output().startsWith("Usage: scripts/" + name), ending.output());
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void anUnknownOptionIsRefusedAtOnce(String name) throws Exception {
    assertEquals(
        new ScriptMachine.Ending(
            2, "Error: there is no option --frob. See scripts/" + name + " --help\n"),
        ScriptMachine.with(folder).run("$scripts/" + name + " --frob=1"));
  }

  @Test
  void thePortOfServeGitIsAnOptionAsElsewhere() throws Exception {
    String refusal = "Error: x is no port. See scripts/serve-git --help\n";
    for (String port : List.of("--port x", "--port=x")) {
      assertEquals(
          new ScriptMachine.Ending(2, refusal),
          ScriptMachine.with(folder).run("$scripts/serve-git " + port));
    }
  }
}
