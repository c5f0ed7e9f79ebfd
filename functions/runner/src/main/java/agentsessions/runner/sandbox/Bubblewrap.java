package agentsessions.runner.sandbox;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.NetworkAccess;
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
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.sandbox.process.ProcessTree;
import agentsessions.runner.sandbox.process.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A sandbox made with bubblewrap: the machine's `/usr` read-only, the session's own folders, a
/// process namespace that ends all its processes when it ends, and a network only if the entry
/// grants one.
///
/// An unprivileged runner uses a user namespace. A runner that is root does not: the agent runs as
/// the session's own user instead. Limits are set inside. The limit on processes, which is set
/// where no control group counts them, counts those of a session with a user namespace, else those
/// of its user.
public final class Bubblewrap implements Sandbox {

  /// The exit status after SIGKILL: for lack of memory, or by this class after a timeout.
  private static final int KILLED = 137;

  /// The system call filter, which is the same for all sandboxes; empty for an unknown processor.
  private static final Optional<byte[]> FILTER =
      SystemCallFilter.ofThisMachine().map(SystemCallFilter::bytes);

  private final SessionFolder folder;
  private final InstalledTools tools;
  private final Mounts mounts;
  private final Limits limits;
  private final ControlGroups groups;
  private final BridgeProgram bridge;
  private Optional<ControlGroup> group = Optional.empty();
  private Optional<ProcessHandle> init = Optional.empty();
  private Optional<ProcessHandle> agent = Optional.empty();

  public Bubblewrap(
      SessionFolder folder, Path io, InstalledTools tools, Limits limits, ControlGroups groups) {
    this(folder, io, tools, limits, groups, BridgeProgram.HERE);
  }

  Bubblewrap(
      SessionFolder folder,
      Path io,
      InstalledTools tools,
      Limits limits,
      ControlGroups groups,
      BridgeProgram bridge) {
    this.folder = folder;
    this.tools = tools;
    this.mounts = new Mounts(folder, io, tools);
    this.limits = limits;
    this.groups = groups;
    this.bridge = bridge;
  }

  @Override
  public Optional<ControlGroup> group() {
    return group;
  }

  @Override
  public AgentFolders folders() {
    return Mounts.FOLDERS;
  }

  @Override
  public String searchPath() {
    return tools.searchPath(Mounts.TOOLS, InstalledTools.SYSTEM_PATH);
  }

  @Override
  public ModelProxy proxy(AgentEntry.Model model, ModelResponses responses) throws IOException {
    ModelProxy proxy = ModelProxy.onSocket(model, BridgeSetup.MODEL, responses);
    folder.user().own(proxy.socket());
    return proxy;
  }

  @Override
  public Optional<HostProxy> hosts(
      List<HostRule> rules, HostJudge judge, Addresses addresses, HostRefusals refusals)
      throws IOException {
    HostProxy proxy = HostProxy.onSocket(rules, judge, addresses, refusals, BridgeSetup.HOSTS);
    folder.user().own(proxy.portForward().socket());
    return Optional.of(proxy);
  }

  @Override
  public Optional<ToolGate> gate(ToolJudge judge) throws IOException {
    ToolGate gate = ToolGate.onSocket(judge, BridgeSetup.TOOLS);
    folder.user().own(gate.portForward().orElseThrow().socket());
    return Optional.of(gate);
  }

  @Override
  public boolean hides() {
    return true;
  }

  /// Bubblewrap reads its arguments from a file: a command line can be read inside the sandbox, and
  /// the agent need not know the paths of this machine.
  @Override
  public ProcessBuilder command(SandboxCommand command) throws IOException {
    group = groups.open(limits);
    List<Path> files = new ArrayList<>(List.of(folder.path().resolve("sandbox")));
    List<String> line = new ArrayList<>();
    if (FILTER.isPresent()) {
      files.add(Files.write(folder.path().resolve("filter"), FILTER.get()));
      line.addAll(List.of("--seccomp", String.valueOf(LaunchScript.FIRST + 1)));
    }
    Files.writeString(files.getFirst(), arguments(line, command));
    List<String> words = new ArrayList<>(launchScript(files).words());
    words.addAll(
        List.of(InstalledTools.own("bwrap"), "--args", String.valueOf(LaunchScript.FIRST), "--"));
    words.addAll(DefaultSignals.COMMAND);
    words.addAll(folder.user().setpriv());
    words.addAll(group.isPresent() ? List.of() : ProcessLimits.words(limits, group));
    words.addAll(new BridgeSetup(bridge, command.portForwards()).words());
    words.addAll(command.words());
    return new ProcessBuilder(words).directory(folder.path().toFile());
  }

  private LaunchScript launchScript(List<Path> files) {
    String commands = group.isPresent() ? ProcessLimits.commands(limits) : "";
    return new LaunchScript(group, commands, files);
  }

  /// `/` and `/dev` are made read-only last, since the mounts before create folders in them.
  private String arguments(List<String> line, SandboxCommand command) throws IOException {
    line.addAll(List.of("--die-with-parent", "--new-session"));
    namespaces(line, command.network());
    line.addAll(mounts.words(command.workspace()));
    line.addAll(List.of("--chdir", command.folder(Mounts.FOLDERS)));
    BridgeSetup ways = new BridgeSetup(bridge, command.portForwards());
    line.addAll(ways.binds());
    line.addAll(mounts.files(ways.files()));
    line.addAll(mounts.files(command.files()));
    line.addAll(mounts.hidden(command.hidden()));
    line.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/"));
    return String.join("\0", line) + "\0";
  }

  private void namespaces(List<String> line, NetworkAccess network) {
    line.addAll(List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"));
    line.addAll(List.of("--hostname", "sandbox"));
    if (folder.user().id().isPresent()) {
      Stream.of("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
          .forEach(capability -> line.addAll(List.of("--cap-add", capability)));
    } else {
      String id = String.valueOf(AgentUser.UNPRIVILEGED);
      line.addAll(List.of("--unshare-user", "--disable-userns", "--uid", id, "--gid", id));
    }
    if (!network.unrestricted()) {
      line.add("--unshare-net");
    }
  }

  /// Looks for the namespace's first process now: it cannot be found once the outer process is
  /// gone, which may be gone before all others are. That process has made the sandbox when it
  /// starts a child.
  @Override
  public void started(Process process) {
    boolean isMade = false;
    for (int tries = 0; tries < 500 && !isMade && process.isAlive(); tries++) {
      init = init.or(() -> child(process.toHandle()));
      isMade = init.flatMap(Bubblewrap::child).isPresent();
      Pause.millis(isMade ? 0 : 2);
    }
    group.ifPresent(ControlGroup::lowerWeight);
  }

  private static Optional<ProcessHandle> child(ProcessHandle process) {
    return ProcessTree.childrenOfSingleThreaded(process).findFirst();
  }

  /// The oldest child of the namespace's first process: orphans of the agent become its children,
  /// too.
  @Override
  public Optional<ProcessHandle> agent(Process process) {
    if (agent.isEmpty()) {
      agent =
          init.flatMap(first ->
              ProcessTree.childrenOfSingleThreaded(first)
                  .min(
                      Comparator.comparing(
                          child -> child.info().startInstant().orElse(Instant.MAX))));
    }
    return agent.filter(ProcessHandle::isAlive);
  }

  /// Taken from the control group: a process that starts a child and ends at once can be missed by
  /// a walk along the tree, but never leaves the group.
  @Override
  public Stream<ProcessHandle> processes(Process process) {
    return group
        .map(ControlGroup::processes)
        .orElseGet(() -> ProcessTree.of(init.orElseGet(process::toHandle)));
  }

  /// The kernel ends a namespace's first process only when all others in it are gone. It is killed
  /// by its handle: killing a `Process` would close its output, which may not be read yet.
  @Override
  public void end(Process process) {
    init.ifPresent(ProcessHandle::destroyForcibly);
    init.ifPresent(ProcessTree::awaitGone);
    process.toHandle().destroyForcibly();
    process.onExit().join();
    group.ifPresent(ControlGroup::closeSoon);
  }

  /// Makes a sandbox to find out whether this machine can: empty if it can, else the reason.
  ///
  /// @throws IllegalStateException if that sandbox was killed, which says nothing about the machine
  public static Optional<String> refusal() {
    try {
      Path scratch = Files.createTempDirectory("sandbox-probe");
      try {
        return refusal(scratch);
      } finally {
        SessionFolder.deleteIfPossible(scratch);
      }
    } catch (IOException failed) {
      return Optional.of(String.valueOf(failed.getMessage()));
    }
  }

  private static Optional<String> refusal(Path scratch) throws IOException {
    SessionFolder folder =
        new SessionFolders(scratch, Optional.empty()).of(new UUID(0, 0).toString()).open(Map.of());
    Bubblewrap sandbox =
        new Bubblewrap(
            folder,
            folder.makeTurnFolder(""),
            new InstalledTools(Optional.empty()),
            Limits.STANDARD,
            ControlGroups.NONE);
    ProcessBuilder builder =
        sandbox.command(SandboxCommand.of(List.of("bash", "-c", "> /workspace/x")));
    builder.environment().clear();
    builder.environment().put("PATH", InstalledTools.SYSTEM_PATH);
    Process process = Spawner.start(builder.redirectErrorStream(true));
    process
        .onExit()
        .completeOnTimeout(process, 5, TimeUnit.SECONDS)
        .join()
        .toHandle()
        .destroyForcibly();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return refusal(process.onExit().join().exitValue(), output);
  }

  static Optional<String> refusal(int status, String output) {
    if (status == KILLED) {
      throw new IllegalStateException("the first sandbox was killed, or took too long");
    }
    return status == 0 ? Optional.empty() : Optional.of(output.strip());
  }
}
