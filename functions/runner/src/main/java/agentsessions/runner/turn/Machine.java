package agentsessions.runner.turn;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.StoredFiles;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.repository.ScriptRunner;
import agentsessions.runner.sandbox.Bubblewrap;
import agentsessions.runner.sandbox.InstalledTools;
import agentsessions.runner.sandbox.IsolationMode;
import agentsessions.runner.sandbox.LeftoverProcesses;
import agentsessions.runner.sandbox.Sandbox;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.SessionFolders;
import agentsessions.runner.sandbox.Unconfined;
import agentsessions.runner.sandbox.process.ControlGroups;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The machine that turns run on: its folders, isolation, limits and environment.
///
/// @param folders the locations of sessions' folders
/// @param isolation the way in which agents are isolated
/// @param groups control groups that limit a turn's memory, where they can be created
/// @param leftovers processes that were started after the runner
/// @param keys the key container, if the runner has no keys itself
/// @param environment the runner's own environment, from which catalogue entries may name variables
public record Machine(
    SessionFolders folders,
    IsolationMode isolation,
    InstalledTools tools,
    Limits limits,
    ControlGroups groups,
    LeftoverProcesses leftovers,
    Optional<KeyContainerAddress> keys,
    Map<String, String> environment,
    Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(Machine.class);

  /// Variables that no entry may name.
  private static final Set<String> SECRETS = Set.of("TASK_SECRET", "TICKET");

  /// Reads the environment: `SANDBOXES` (default: a folder in the temporary directory) and, in a
  /// task, `SANDBOX_ROOT`, both for [SessionFolders]; `ISOLATION` (`bubblewrap`, `task` or `none`;
  /// determined by a probe if not set); `TOOLS`, a folder with installed agents; and the variables
  /// of {@link Limits#of}, {@link KeyContainerAddress#of} and {@link StoredFiles#of}.
  public static Machine of(Map<String, String> environment) {
    String temporary = System.getProperty("java.io.tmpdir", "/tmp");
    Path sandboxes = Path.of(environment.getOrDefault("SANDBOXES", temporary + "/sandboxes"));
    InstalledTools tools =
        new InstalledTools(Optional.ofNullable(environment.get("TOOLS")).map(Path::of));
    Map<String, String> known = new HashMap<>(environment);
    known.keySet().removeAll(SECRETS);
    Optional<Path> root = Optional.ofNullable(environment.get("SANDBOX_ROOT")).map(Path::of);
    return new Machine(
        new SessionFolders(sandboxes, root),
        isolation(environment),
        tools,
        Limits.of(environment),
        ControlGroups.find(),
        LeftoverProcesses.fromNow(),
        KeyContainerAddress.of(environment),
        Map.copyOf(known),
        Clock.systemUTC());
  }

  /// The storage of sessions' folders between turns.
  SandboxStorage storage() {
    return SandboxStorage.of(isolation, environment, folders, leftovers);
  }

  /// The object store's own files, where they are on this machine.
  Optional<StoredFiles> objects() {
    return StoredFiles.of(environment);
  }

  /// The sandbox for an agent; fails if the agent may run only in one and this machine has none.
  Sandbox sandbox(SessionFolder folder, Path io, AgentEntry entry) throws TurnFailed {
    if (isolation == IsolationMode.BUBBLEWRAP) {
      return new Bubblewrap(folder, io, tools, limits, groups);
    }
    boolean inTask = isolation == IsolationMode.TASK;
    if (inTask || entry.isolation() == AgentEntry.Isolation.TRUSTED) {
      return new Unconfined(
          folder,
          io,
          tools,
          limits,
          groups,
          inTask,
          inTask ? folders.readOnly(folder) : Optional.empty());
    }
    throw new TurnFailed(
        TurnErrorCode.AGENT_NOT_AVAILABLE,
        "The agent runs only in a sandbox, and this machine has none.");
  }

  /// Whether the isolation can restrict an agent's network.
  boolean closesNetworks() {
    return isolation == IsolationMode.BUBBLEWRAP;
  }

  /// The runner of the service's own scripts in the session's sandbox.
  ScriptRunner scripts(SessionFolder folder, Path io, AgentEntry entry, Consumer<Runnable> onLost)
      throws TurnFailed {
    Sandbox _ = sandbox(folder, io, entry);
    return new ScriptRunner(folder, () -> again(folder, io, entry), limits, onLost);
  }

  private Sandbox again(SessionFolder folder, Path io, AgentEntry entry) {
    try {
      return sandbox(folder, io, entry);
    } catch (TurnFailed impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// An agent's network access, with the hosts that the operator allows all agents
  /// (`ALLOWED_HOSTS`).
  NetworkAccess network(AgentEntry entry) {
    return entry
        .network()
        .and(
            Stream.of(environment.getOrDefault("ALLOWED_HOSTS", "").split(","))
                .map(String::strip)
                .filter(rule -> !rule.isEmpty())
                .map(HostRule::of)
                .toList());
  }

  /// The agent's model with its templates filled in, or behind the key container.
  AgentEntry.Model model(AgentEntry.Model model, Claim claim) throws TurnFailed {
    if (keys.isPresent()) {
      return keys.get().model(model, claim.turn().agentName());
    }
    Map<String, String> known = new HashMap<>(environment);
    known.putAll(Objects.requireNonNullElse(claim.turn().keys(), Map.of()));
    return model.filled(known);
  }

  /// The check of addresses: private ones are allowed if `ALLOW_PRIVATE` or the turn says so.
  Addresses addresses(Claim claim) {
    boolean turn = claim.turn().work() != null && claim.turn().work().allowPrivate();
    return new Addresses(turn || Boolean.parseBoolean(environment.get("ALLOW_PRIVATE")));
  }

  /// Refuses an agent whose command is not installed.
  void require(String command) throws TurnFailed {
    if (!tools.has(
        command,
        isolation == IsolationMode.BUBBLEWRAP
            ? InstalledTools.SYSTEM_PATH
            : InstalledTools.ownPath())) {
      throw new TurnFailed(
          TurnErrorCode.AGENT_NOT_AVAILABLE,
          "The agent's command, %s, is not installed.".formatted(command));
    }
  }

  /// Refuses rules for hosts where nothing is between the agent, or its setup script, and the
  /// network.
  void requireHostsJudged(Claim claim) throws TurnFailed {
    boolean isOpen = !closesNetworks() || network(claim.agent()).unrestricted();
    if (isOpen && claim.rules().judgesHosts()) {
      throw new TurnFailed(
          TurnErrorCode.AGENT_NOT_AVAILABLE,
          "The session has rules for hosts, and nothing is between this agent and the network.");
    }
  }

  private static IsolationMode isolation(Map<String, String> environment) {
    String isolation = environment.get("ISOLATION");
    if (isolation != null) {
      return IsolationMode.valueOf(isolation.toUpperCase(Locale.ROOT));
    }
    Optional<String> refusal = Bubblewrap.refusal();
    refusal.ifPresent(reason -> LOG.warn("no sandbox: {}", reason));
    return refusal.isEmpty() ? IsolationMode.BUBBLEWRAP : IsolationMode.NONE;
  }
}
