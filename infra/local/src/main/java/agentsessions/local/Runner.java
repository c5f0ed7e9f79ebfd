package agentsessions.local;

import agentsessions.local.RuntimeApi.Invocation;
import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.StepError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The runner as one long-lived child process with a cleared environment, fed as Lambda feeds it.
final class Runner implements Lambda, AutoCloseable {
  /// No free place in the runner for so long means throttled, which the state machine tries again.
  private static final long PATIENCE_SECONDS = 20;

  /// How many turns may run at once.
  private static final String CONCURRENCY = "32";

  private static final String MAIN = "agentsessions.runner.Main";

  private final Installation installation;
  private final Path sandboxes;
  private final Path logFile;
  private final String isolation;
  private final Map<String, String> variables;
  private final BlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
  private final ChildJvm child = new ChildJvm("The runner", this::command, this::hangUp);
  private @Nullable RuntimeApi api;

  /// @param isolation what the runner found on this machine: `bubblewrap` or `none`
  /// @param variables what agents need from this environment
  Runner(
      Installation installation,
      Path sandboxes,
      Path logFile,
      String isolation,
      Map<String, String> variables) {
    this.installation = installation;
    this.sandboxes = sandboxes;
    this.logFile = logFile;
    this.isolation = isolation;
    this.variables = variables;
  }

  /// Asks the runner what it can use to keep agents apart: `bubblewrap` or `none`.
  static String probe(Installation installation) throws InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Installation.java(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            installation.runnerClassPath(),
            MAIN,
            "--probe");
    try {
      Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String answer =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 && answer.equals("bubblewrap") ? answer : "none";
    } catch (IOException e) {
      throw new CannotStart("Cannot start the runner: " + Failures.text(e), e);
    }
  }

  void start() {
    child.start();
  }

  long pid() {
    return child.pid();
  }

  @Override
  public byte[] invoke(byte[] payload) throws InterruptedException {
    Invocation invocation = new Invocation(payload);
    waiting.add(invocation);
    try {
      return answer(invocation);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StepError error
          ? error
          : new StepError("Lambda.Unknown", e.toString());
    }
  }

  @Override
  public void close() {
    child.close();
    hangUp();
  }

  private byte[] answer(Invocation invocation) throws InterruptedException, ExecutionException {
    try {
      return invocation.answer().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      if (waiting.remove(invocation)) {
        throw new StepError(
            "Lambda.TooManyRequestsException", "the runner took no further invocation");
      }
      return invocation.answer().get();
    }
  }

  private synchronized ProcessBuilder command() {
    hangUp();
    RuntimeApi fresh = new RuntimeApi(waiting);
    api = fresh;
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Installation.java(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                installation.runnerClassPath(),
                MAIN));
    environment(builder.environment(), fresh);
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()));
  }

  /// The agent's side of the house: nothing of ours may be found there.
  private void environment(Map<String, String> environment, RuntimeApi server) {
    String path = environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    environment.clear();
    environment.putAll(variables);
    environment.put("PATH", path);
    environment.put("AWS_LAMBDA_RUNTIME_API", server.address());
    environment.put("SANDBOXES", sandboxes.toString());
    environment.put("ISOLATION", isolation);
    environment.put("AWS_LAMBDA_MAX_CONCURRENCY", CONCURRENCY);
    environment.put("LC_ALL", "C.UTF-8"); // or names of files that agents make come out wrong
  }

  private synchronized void hangUp() {
    if (api != null) {
      api.close();
      api = null;
    }
  }
}
