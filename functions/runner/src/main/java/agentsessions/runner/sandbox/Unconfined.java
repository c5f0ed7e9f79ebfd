package agentsessions.runner.sandbox;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.tool.ToolJudge;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.host.HostJudge;
import agentsessions.runner.network.host.HostProxy;
import agentsessions.runner.network.host.HostRefusals;
import agentsessions.runner.network.model.ModelProxy;
import agentsessions.runner.network.model.ModelResponses;
import agentsessions.runner.network.tool.ToolGate;
import agentsessions.runner.sandbox.process.ControlGroup;
import agentsessions.runner.sandbox.process.ControlGroups;
import agentsessions.runner.sandbox.process.DefaultSignals;
import agentsessions.runner.sandbox.process.LaunchScript;
import agentsessions.runner.sandbox.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The absence of a sandbox, for agents that their operator trusts: real paths, the machine's
/// network, and processes that are found by descent and by a mark in their environment. With
/// util-linux installed, limits still apply, and the agent dies with the runner.
///
/// In a task, which is one session's alone, all agents run like this: there each command runs as
/// another user than the runner, without capabilities, and all processes of that user are ended
/// afterwards.
public final class Unconfined implements Sandbox {
  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

  private final SessionFolder folder;
  private final Path io;
  private final InstalledTools tools;
  private final Limits limits;
  private final ControlGroups groups;
  private final boolean inTask;
  private final Optional<ReadOnlyFiles> readOnly;
  private Optional<ControlGroup> group = Optional.empty();

  /// Ends processes that an earlier runner may have left in this session.
  ///
  /// @param readOnly the files that the agent cannot change; empty where it could change any
  public Unconfined(
      SessionFolder folder,
      Path io,
      InstalledTools tools,
      Limits limits,
      ControlGroups groups,
      boolean inTask,
      Optional<ReadOnlyFiles> readOnly) {
    this.folder = folder;
    this.io = io;
    this.tools = tools;
    this.limits = limits;
    this.groups = groups;
    this.inTask = inTask;
    this.readOnly = readOnly;
    ProcessTree.end(Optional.empty(), mark());
  }

  @Override
  public AgentFolders folders() {
    return new AgentFolders(folder.work().toString(), folder.home().toString(), io.toString());
  }

  @Override
  public String searchPath() {
    return tools.searchPath(
        tools.folder().map(Path::toString).orElse(""), InstalledTools.ownPath());
  }

  @Override
  public ModelProxy proxy(AgentEntry.Model model, ModelResponses responses) throws IOException {
    return ModelProxy.onLoopback(model, responses);
  }

  /// None, since the agent has the machine's network.
  @Override
  public Optional<HostProxy> hosts(
      List<HostRule> rules, HostJudge judge, Addresses addresses, HostRefusals refusals) {
    return Optional.empty();
  }

  /// None where the agent could change what its hook needs.
  @Override
  public Optional<ToolGate> gate(ToolJudge judge) throws IOException {
    return readOnly.isPresent()
        ? Optional.of(ToolGate.onLoopback(judge, readOnly.get().root()))
        : Optional.empty();
  }

  @Override
  public boolean hides() {
    return false;
  }

  @Override
  public ProcessBuilder command(SandboxCommand command) throws IOException {
    if (inTask) {
      requireOther();
    }
    if (readOnly.isPresent()) {
      readOnly.get().write(command.files());
    }
    group = groups.open(limits);
    List<String> line = new ArrayList<>(new LaunchScript(group, "", List.of()).words());
    line.addAll(DefaultSignals.COMMAND);
    if (Files.isExecutable(SETPRIV)) {
      line.addAll(isReachable() ? folder.user().setpriv() : List.of());
      line.addAll(List.of(SETPRIV.toString(), "--pdeathsig=KILL", "--no-new-privs", "--"));
    }
    if (inTask) {
      line.addAll(ProcessLimits.words(limits, group));
    } else if (Files.isExecutable(PRLIMIT)) {
      line.addAll(List.of(PRLIMIT.toString(), "--fsize=" + limits.file(), "--core=0", "--"));
    }
    line.addAll(command.words());
    return new ProcessBuilder(line).directory(folder.work().resolve(command.folder()).toFile());
  }

  @Override
  public Optional<ControlGroup> group() {
    return group;
  }

  @Override
  public void started(Process process) {
    group.ifPresent(ControlGroup::lowerWeight);
  }

  /// The commands in front are replaced by the agent's command, so it has the same process id.
  @Override
  public Optional<ProcessHandle> agent(Process process) {
    return Optional.of(process.toHandle());
  }

  @Override
  public Stream<ProcessHandle> processes(Process process) {
    return group
        .map(ControlGroup::processes)
        .orElseGet(() -> ProcessTree.all(Optional.of(process.toHandle()), mark()));
  }

  @Override
  public void end(Process process) {
    ProcessTree.end(Optional.of(process.toHandle()), mark());
    process.onExit().join();
    if (inTask) {
      LeftoverProcesses.of(folder.user()).end();
    }
    group.ifPresent(ControlGroup::close);
  }

  private String mark() {
    return "AGENT_WORKSPACE=" + folders().workspace();
  }

  /// Refuses to run an agent as the runner's own user, with access to its secrets.
  private void requireOther() throws IOException {
    if (folder.user().id().isEmpty() || !Files.isExecutable(SETPRIV) || !isReachable()) {
      throw new IOException("the agent cannot be another user than the runner here");
    }
  }

  /// Whether another user than root can reach the session's folder, which needs execute permission
  /// on all folders above; if not, a trusted agent stays root.
  private boolean isReachable() {
    return Stream.of(folder.path(), folder.work().getParent(), folder.home().getParent())
        .allMatch(Unconfined::isReachable);
  }

  private static boolean isReachable(Path folder) {
    for (Path path = folder; path != null; path = path.getParent()) {
      if (!isPassable(path)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPassable(Path path) {
    try {
      return Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE);
    } catch (IOException unknown) {
      return false;
    }
  }
}
