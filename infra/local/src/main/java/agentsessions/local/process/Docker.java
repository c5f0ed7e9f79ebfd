package agentsessions.local.process;

import agentsessions.local.machine.CannotStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The `docker` command of this machine. A container's variables are passed in the command's own
/// environment, so that no secret is among its arguments, which every local user can read.
final class Docker {
  /// The exit code of a killed process, for example for lack of memory.
  private static final int KILLED = 137;

  private static final int TRIES = 3;

  private Docker() {}

  private record Output(int status, String text) {}

  /// A failure of the command, with its last line of output.
  static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    Failed(String reason) {
      super(reason);
    }
  }

  /// @throws CannotStart if no Docker engine answers
  static void require() throws InterruptedException {
    try {
      String _ = ask(List.of("version", "--format", "{{.Server.Version}}"));
    } catch (Failed | IOException none) {
      throw new CannotStart(
          "Containers need Docker, and none answers: install or start it, or name another by"
              + " DOCKER_HOST",
          none);
    }
  }

  /// The output of a command. A command that was killed has given no answer and is run again.
  static String ask(List<String> words) throws IOException, InterruptedException, Failed {
    Output output = runOnce(words);
    for (int tries = 1; output.status() == KILLED && tries < TRIES; tries++) {
      output = runOnce(words);
    }
    if (output.status() != 0) {
      throw new Failed(output.text().substring(output.text().lastIndexOf('\n') + 1));
    }
    return output.text();
  }

  private static Output runOnce(List<String> words) throws IOException, InterruptedException {
    Process process = builder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Output(process.waitFor(), text);
  }

  /// Runs a container for as long as the process lives.
  ///
  /// @param words the arguments of `docker run`, from the first option to the container's last
  ///   argument
  static ProcessBuilder run(Map<String, String> environment, List<String> words) {
    List<String> line = new ArrayList<>(List.of("run", "--rm"));
    environment.keySet().forEach(name -> line.addAll(List.of("--env", name)));
    line.addAll(words);
    ProcessBuilder builder = builder(line);
    builder.environment().putAll(environment);
    return builder.redirectErrorStream(true);
  }

  private static ProcessBuilder builder(List<String> words) {
    List<String> line = new ArrayList<>(List.of("docker"));
    line.addAll(words);
    return new ProcessBuilder(line);
  }
}
