package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import agentsessions.local.machine.Installation;
import agentsessions.local.process.Runner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// How agents are kept apart here, as the runner found out.
///
/// @param name `bubblewrap` or `none`, as the service shows it
/// @param reason why there is no sandbox; else empty
record Isolation(String name, String reason) {
  private static final String BUBBLEWRAP = "bubblewrap";
  private static final String NONE = "none";

  /// Asks the runner what it can use here.
  static Isolation probe(Installation installation) throws InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Installation.java(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            installation.runnerClassPath(),
            Runner.MAIN,
            "--probe");
    try {
      Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String answer =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return of(process.waitFor() == 0 ? answer : "none: the probe failed");
    } catch (IOException e) {
      throw new CannotStart("Cannot start the runner: " + Failures.text(e), e);
    }
  }

  /// From what the runner's `--probe` printed: `bubblewrap`, or `none: ` and the reason.
  static Isolation of(String probe) {
    if (probe.equals(BUBBLEWRAP)) {
      return new Isolation(BUBBLEWRAP, "");
    }
    String prefix = NONE + ": ";
    return new Isolation(
        NONE, probe.startsWith(prefix) ? probe.substring(prefix.length()) : "no answer");
  }

  boolean isSandbox() {
    return name.equals(BUBBLEWRAP);
  }
}
