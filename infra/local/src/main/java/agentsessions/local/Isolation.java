package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import agentsessions.local.machine.Installation;
import agentsessions.local.process.RunnerCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How agents are kept apart here, as the runner found out.
///
/// @param name `bubblewrap`, `task` or `none`, as the service shows it
/// @param reason why there is no sandbox; else empty
/// @param memory what bounds the memory of a turn: `cgroup v1`, `cgroup v2`, or `none` and more
record Isolation(String name, String reason, String memory) {
  private static final String BUBBLEWRAP = "bubblewrap";
  private static final String TASK = "task";
  private static final String NONE = "none";
  private static final String NO_SANDBOX = "\n" + NONE + ": ";
  private static final int TRIES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Each session's turns in containers of their own.
  static Isolation ofTasks() {
    return new Isolation(TASK, "", "cgroup of the container");
  }

  /// Asks the runner what it can use here.
  ///
  /// @throws CannotStart for now, if it does not say
  static Isolation probe(Installation installation) throws InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Installation.java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
    line.addAll(Installation.options("runner"));
    line.addAll(List.of("-cp", installation.runnerClassPath(), RunnerCommand.MAIN, "--probe"));
    return ask(new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  /// What a probe says, which is asked again if it dies: its death is no answer. Taken for one, it
  /// would have the service run without its agents until somebody starts it anew.
  static Isolation ask(ProcessBuilder probe) throws InterruptedException {
    for (int tries = 0; tries < TRIES; tries++) {
      Optional<Isolation> answer = answer(probe);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    throw CannotStart.forNow(
        "The runner did not say what keeps agents apart here: asked " + TRIES + " times");
  }

  private static Optional<Isolation> answer(ProcessBuilder probe) throws InterruptedException {
    try {
      Process process = probe.start();
      if (!process.waitFor(PATIENCE)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.exitValue() == 0 ? of(said.strip()) : Optional.empty();
    } catch (IOException e) {
      throw new CannotStart("Cannot start the runner: " + Failures.text(e), e);
    }
  }

  /// From what the runner's `--probe` printed: `bubblewrap`, or `none: ` and the reason; and in the
  /// last line what bounds the memory of a turn. Lines before are of its JVM. Empty if it is not
  /// this.
  private static Optional<Isolation> of(String probe) {
    int last = probe.lastIndexOf('\n');
    String sandbox = "\n" + probe.substring(0, Math.max(0, last));
    String memory = probe.substring(last + 1);
    if (sandbox.endsWith("\n" + BUBBLEWRAP)) {
      return Optional.of(new Isolation(BUBBLEWRAP, "", memory));
    }
    int none = sandbox.indexOf(NO_SANDBOX);
    return none < 0
        ? Optional.empty()
        : Optional.of(new Isolation(NONE, sandbox.substring(none + NO_SANDBOX.length()), memory));
  }

  boolean isSandbox() {
    return !name.equals(NONE);
  }

  boolean boundsMemory() {
    return memory.startsWith("cgroup");
  }
}
