package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An agent receives its interrupt however the service was started: in the background, with
/// `nohup`, by a CI step.
class SignalsTest {
  @TempDir Path folder;

  /// @param start the shell command in front of the runner's
  @ParameterizedTest
  @CsvSource({
    "trap '' INT HUP QUIT TERM, sandboxed",
    "trap '' INT HUP QUIT TERM, unconfined",
    "trap - INT, sandboxed",
    "trap - INT, unconfined",
  })
  void interruptReachesAnAgentWhoeverStartedItsRunner(String start, String isolation)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", start + "; exec \"$@\"", "start"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(SignalsTest.class.getName(), isolation, folder.toString()));
    Process runner =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(runner.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(said.contains("\"reply\":\"tidied\""), said);
    assertEquals(0, runner.waitFor());
  }

  /// A runner that interrupts a turn and prints what its agent had time to leave.
  public static void main(String[] arguments) throws IOException {
    System.out.println(left(arguments[0], Path.of(arguments[1])));
    System.exit(0);
  }

  private static String left(String isolation, Path folder) throws IOException {
    try (Bench bench =
        isolation.equals("sandboxed") ? Bench.sandboxed(folder) : Bench.unconfined(folder)) {
      // The test is whether it receives the signal at all, not how soon on a busy machine.
      bench.entry.withObject("interrupt").put("grace_seconds", 60);
      bench.interrupt(
          "trap 'echo tidied > end; exit 0' INT; touch ready; while :; do sleep 0.05; done");
      return bench.run("cat end").toString();
    }
  }
}
