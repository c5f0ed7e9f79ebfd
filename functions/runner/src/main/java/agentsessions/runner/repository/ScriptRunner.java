package agentsessions.runner.repository;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.ProcessOutput;
import agentsessions.runner.agent.Signal;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.sandbox.AgentProcess;
import agentsessions.runner.sandbox.Sandbox;
import agentsessions.runner.sandbox.SandboxCommand;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.disk.DiskWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// A runner of the service's own scripts in a session's sandbox, such as git's, as the agent's user
/// and within the agent's limits. A script ends when the turn is lost, and leaves no process
/// behind.
///
/// @param sandboxes makes a sandbox for each script
/// @param onLost registers an action for the loss of the turn
public record ScriptRunner(
    SessionFolder folder, Supplier<Sandbox> sandboxes, Limits limits, Consumer<Runnable> onLost) {
  /// An empty standard input.
  public static final Path NOTHING = Path.of("/dev/null");

  private static final int KEPT = 64 * 1024;
  private static final AgentEntry.Interrupt INTERRUPT =
      new AgentEntry.Interrupt(Signal.TERM, null, 1.0);

  /// The outcome of a script.
  ///
  /// @param status the exit status
  /// @param out the first 64 KiB of standard output
  /// @param err the last 4 KiB of standard error
  public record Outcome(AgentProcess.Ending ending, int status, String out, String err) {

    public boolean isDone() {
      return ending == AgentProcess.Ending.EXIT && status == 0;
    }
  }

  /// Runs a script with an empty standard input.
  public Outcome run(
      SandboxCommand command,
      Map<String, String> environment,
      Duration time,
      Consumer<byte[]> lines)
      throws IOException, InterruptedException {
    return run(command, environment, NOTHING, time, lines);
  }

  /// Runs a script.
  ///
  /// @param input its standard input, a file of the runner
  public Outcome run(
      SandboxCommand command,
      Map<String, String> environment,
      Path input,
      Duration time,
      Consumer<byte[]> lines)
      throws IOException, InterruptedException {
    Deadline end = Deadline.of(time);
    return run(command, environment, input, () -> end.end() - System.nanoTime(), lines);
  }

  /// Runs a script, and returns when it has ended.
  ///
  /// @param environment all its variables, beside `PATH` and `AGENT_WORKSPACE`
  /// @param input its standard input, a file of the runner
  /// @param nanosLeft the time that it has left
  /// @param lines gets each line of its output
  public Outcome run(
      SandboxCommand sandboxCommand,
      Map<String, String> environment,
      Path input,
      LongSupplier nanosLeft,
      Consumer<byte[]> lines)
      throws IOException, InterruptedException {
    Sandbox sandbox = sandboxes.get();
    ProcessBuilder command = sandbox.command(sandboxCommand);
    command.environment().clear();
    command.environment().putAll(environment);
    command.environment().put("PATH", sandbox.searchPath());
    // Without a sandbox, leftover processes are found by this variable.
    command.environment().put("AGENT_WORKSPACE", sandbox.folders().workspace());
    command.redirectInput(input.toFile());
    ProcessOutput out = new ProcessOutput(KEPT, lines, Mask.NONE);
    ProcessOutput err = new ProcessOutput(0, line -> {}, Mask.NONE);
    AgentProcess process = AgentProcess.start(command, sandbox, out, err, limits);
    onLost.accept(() -> process.stop(AgentProcess.Ending.NOT_LIVE));
    try (DiskWatch _ = new DiskWatch(folder, limits, process)) {
      AgentProcess.Exit exit = process.await(nanosLeft, INTERRUPT);
      return new Outcome(exit.ending(), exit.status(), out.text(), err.tail());
    }
  }
}
