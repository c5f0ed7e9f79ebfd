package agentsessions.runner.sandbox;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.tool.ToolJudge;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.host.HostJudge;
import agentsessions.runner.network.host.HostProxy;
import agentsessions.runner.network.host.HostRefusals;
import agentsessions.runner.network.model.ModelProxy;
import agentsessions.runner.network.model.ModelResponses;
import agentsessions.runner.network.tool.ToolGate;
import agentsessions.runner.sandbox.process.ControlGroup;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The sandbox of one turn's agent: starts its command, finds its process, and ends all its
/// processes.
public interface Sandbox {

  /// The paths of its folders as the agent sees them.
  AgentFolders folders();

  /// The value of PATH for the agent.
  String searchPath();

  /// The proxy to the model and nothing else, for the command.
  ModelProxy proxy(AgentEntry.Model model, ModelResponses responses) throws IOException;

  /// The proxy to hosts that operator and judge allow; empty where none is needed.
  Optional<HostProxy> hosts(
      List<HostRule> rules, HostJudge judge, Addresses addresses, HostRefusals refusals)
      throws IOException;

  /// The gate in front of the agent's tools; empty where there can be none.
  Optional<ToolGate> gate(ToolJudge judge) throws IOException;

  /// Whether it can hide files and folders of the workspace and of HOME from a command.
  boolean hides();

  /// A builder for a command; it has no environment yet.
  ProcessBuilder command(SandboxCommand command) throws IOException;

  /// The control group that limits memory and processes of everything that the command starts;
  /// empty where there can be none.
  Optional<ControlGroup> group();

  /// Called once when the command's process has been started.
  void started(Process process);

  /// The agent's own process, as long as there is one.
  Optional<ProcessHandle> agent(Process process);

  /// All processes that the command has started and that still run, as far as they can be found.
  Stream<ProcessHandle> processes(Process process);

  /// Kills all processes that the command has started, and returns when none is left.
  void end(Process process);
}
