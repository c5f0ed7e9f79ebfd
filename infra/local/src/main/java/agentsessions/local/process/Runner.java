package agentsessions.local.process;

import agentsessions.local.machine.Installation;
import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.StepError;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The runner as one long-lived child process with a cleared environment, fed as Lambda feeds it.
public final class Runner implements Lambda, AutoCloseable {
  /// No free place in the runner for so long means throttled, which the state machine tries again.
  private static final long PATIENCE_SECONDS = 20;

  /// How many turns may run at once.
  private static final int CONCURRENCY = 32;

  public static final String MAIN = "agentsessions.runner.Main";

  private final Installation installation;
  private final Path logFile;
  private final Map<String, String> environment;
  private final BlockingDeque<Invocation> waiting = new LinkedBlockingDeque<>();
  private final ChildJvm child = new ChildJvm("The runner", this::command, this::hangUp);
  private @Nullable RuntimeApi api;

  /// @param environment all that the runner may know, except where its work comes from
  public Runner(Installation installation, Path logFile, Map<String, String> environment) {
    this.installation = installation;
    this.logFile = logFile;
    this.environment = environment;
  }

  public void start() {
    child.start();
  }

  public long pid() {
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
    RuntimeApi fresh = new RuntimeApi(waiting, CONCURRENCY);
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
    builder
        .environment()
        .clear(); // it stands on the agents' side: nothing of ours may be found there
    builder.environment().putAll(environment);
    builder.environment().put("AWS_LAMBDA_RUNTIME_API", fresh.address());
    builder.environment().put("AWS_LAMBDA_MAX_CONCURRENCY", Integer.toString(CONCURRENCY));
    builder
        .environment()
        .put("LC_ALL", "C.UTF-8"); // or names of files that agents make come out wrong
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()));
  }

  private synchronized void hangUp() {
    if (api != null) {
      api.close();
      api = null;
    }
  }
}
