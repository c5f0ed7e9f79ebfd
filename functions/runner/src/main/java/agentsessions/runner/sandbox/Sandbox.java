package agentsessions.runner.sandbox;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.network.host.HostProxy;
import agentsessions.runner.network.host.HostRefusals;
import agentsessions.runner.network.model.ModelAnswers;
import agentsessions.runner.network.model.ModelProxy;
import agentsessions.runner.network.way.Addresses;
import agentsessions.runner.sandbox.process.ControlGroup;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Where one turn's agent runs: how its command is started there, whom a signal goes to, and how
/// all of it is ended.
public interface Sandbox {

  /// Where the agent sees its folders.
  AgentFolders folders();

  /// The value of PATH for the agent.
  String searchPath();

  /// A way to the model and nothing else, which the command is to have.
  ModelProxy proxy(AgentEntry.Model model, ModelAnswers answers) throws IOException;

  /// A way to hosts that the operator allows; none where there is no need for one.
  Optional<HostProxy> hosts(List<HostRule> rules, Addresses addresses, HostRefusals refusals)
      throws IOException;

  /// A builder for a command; it has no environment yet.
  ProcessBuilder command(Order order) throws IOException;

  /// What bounds the memory and the processes of all that the command starts; empty where nothing
  /// can.
  Optional<ControlGroup> group();

  /// Called once when the command's process has been started.
  void started(Process process);

  /// The agent's own process, as long as there is one.
  Optional<ProcessHandle> agent(Process process);

  /// Everything the command has started that still runs, as far as it can be found.
  Stream<ProcessHandle> processes(Process process);

  /// Kills everything the command has started, and returns when nothing of it is left.
  void end(Process process);
}
