package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import agentsessions.local.machine.Installation;
import agentsessions.local.process.RunnerCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// How agents are kept apart here, as the runner found out.
///
/// @param name `bubblewrap`, `task` or `none`, as the service shows it
/// @param reason why there is no sandbox; else empty
/// @param memory what bounds the memory of a turn: `cgroup v1`, `cgroup v2`, or `none` and more
record Isolation(String name, String reason, String memory) {
  private static final String BUBBLEWRAP = "bubblewrap";
  private static final String TASK = "task";
  private static final String NONE = "none";

  /// Each session's turns in containers of their own.
  static Isolation ofTasks() {
    return new Isolation(TASK, "", "cgroup of the container");
  }

  /// Asks the runner what it can use here.
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
    try {
      Process process =
          new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String answer =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return of(process.waitFor() == 0 ? answer : "none: the probe failed\nnone");
    } catch (IOException e) {
      throw new CannotStart("Cannot start the runner: " + Failures.text(e), e);
    }
  }

  /// From what the runner's `--probe` printed: `bubblewrap`, or `none: ` and the reason; and in the
  /// last line what bounds the memory of a turn.
  static Isolation of(String probe) {
    int last = probe.lastIndexOf('\n');
    String sandbox = probe.substring(0, Math.max(0, last));
    String memory = probe.substring(last + 1);
    if (sandbox.equals(BUBBLEWRAP)) {
      return new Isolation(BUBBLEWRAP, "", memory);
    }
    String prefix = NONE + ": ";
    String reason = sandbox.startsWith(prefix) ? sandbox.substring(prefix.length()) : "no answer";
    return new Isolation(NONE, reason, memory);
  }

  boolean isSandbox() {
    return !name.equals(NONE);
  }

  boolean boundsMemory() {
    return memory.startsWith("cgroup");
  }
}
