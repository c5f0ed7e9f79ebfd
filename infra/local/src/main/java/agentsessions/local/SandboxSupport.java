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

/// The isolation of agents that this machine supports, as the runner's probe reports it.
///
/// @param name `bubblewrap`, `task` or `none`; the health endpoint shows it
/// @param reason why there is no sandbox; else empty
/// @param memory the bound on a turn's memory: `cgroup v1`, `cgroup v2`, or `none` with a reason
record SandboxSupport(String name, String reason, String memory) {
  private static final String BUBBLEWRAP = "bubblewrap";
  private static final String TASK = "task";
  private static final String NONE = "none";
  private static final String NO_SANDBOX = "\n" + NONE + ": ";
  private static final int TRIES = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /// The isolation of tasks, where each session has containers of its own.
  static SandboxSupport ofTasks() {
    return new SandboxSupport(TASK, "", "cgroup of the container");
  }

  /// Runs the runner's probe on this machine.
  ///
  /// @throws CannotStart for now, if the probe gives no answer
  static SandboxSupport probe(Installation installation) throws InterruptedException {
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

  /// The answer of a probe. A probe that dies is run again: if its death counted as "no sandbox",
  /// the service would lack its agents until the next start.
  static SandboxSupport ask(ProcessBuilder probe) throws InterruptedException {
    for (int tries = 0; tries < TRIES; tries++) {
      Optional<SandboxSupport> answer = answer(probe);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    throw CannotStart.forNow(
        "The runner did not say what keeps agents apart here: asked " + TRIES + " times");
  }

  private static Optional<SandboxSupport> answer(ProcessBuilder probe) throws InterruptedException {
    try {
      Process process = probe.start();
      if (!process.waitFor(TIMEOUT)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.exitValue() == 0 ? of(output.strip()) : Optional.empty();
    } catch (IOException e) {
      throw new CannotStart("Cannot start the runner: " + Failures.text(e), e);
    }
  }

  /// Parses the output of the runner's `--probe`: `bubblewrap`, or `none: ` and the reason; in the
  /// last line the bound on a turn's memory. Lines before these come from its JVM. Empty if the
  /// output is anything else.
  private static Optional<SandboxSupport> of(String probe) {
    int last = probe.lastIndexOf('\n');
    String sandbox = "\n" + probe.substring(0, Math.max(0, last));
    String memory = probe.substring(last + 1);
    if (sandbox.endsWith("\n" + BUBBLEWRAP)) {
      return Optional.of(new SandboxSupport(BUBBLEWRAP, "", memory));
    }
    int none = sandbox.indexOf(NO_SANDBOX);
    return none < 0
        ? Optional.empty()
        : Optional.of(
            new SandboxSupport(NONE, sandbox.substring(none + NO_SANDBOX.length()), memory));
  }

  boolean isSandbox() {
    return !name.equals(NONE);
  }

  boolean boundsMemory() {
    return memory.startsWith("cgroup");
  }
}
