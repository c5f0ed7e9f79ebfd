package agentsessions.local.process;

import agentsessions.local.machine.CannotStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The `docker` command of this machine. What a container is told in its environment is told to the
/// command in its own, so that no secret stands among its arguments.
final class Docker {
  /// What a process ends with that was killed, as for want of memory.
  private static final int KILLED = 137;

  private static final int TRIES = 3;

  private Docker() {}

  private record Said(int status, String text) {}

  /// The command did not do as it was told.
  static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    Failed(String reason) {
      super(reason);
    }
  }

  /// @throws CannotStart if no engine answers
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

  /// What it prints, once it is done. Killed, it has not answered, and is asked again.
  static String ask(List<String> words) throws IOException, InterruptedException, Failed {
    Said said = askOnce(words);
    for (int tries = 1; said.status() == KILLED && tries < TRIES; tries++) {
      said = askOnce(words);
    }
    if (said.status() != 0) {
      throw new Failed(said.text().substring(said.text().lastIndexOf('\n') + 1));
    }
    return said.text();
  }

  private static Said askOnce(List<String> words) throws IOException, InterruptedException {
    Process process = builder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Said(process.waitFor(), text);
  }

  /// Runs a container for as long as the process lives.
  ///
  /// @param words of `docker run`, from the first option to the container's last argument
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
