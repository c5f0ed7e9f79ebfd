package agentsessions.runner.turn;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.Network;
import agentsessions.runner.agent.TurnError;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.control.Claim;
import agentsessions.runner.network.way.Addresses;
import agentsessions.runner.repository.Errands;
import agentsessions.runner.sandbox.Bubblewrap;
import agentsessions.runner.sandbox.Isolation;
import agentsessions.runner.sandbox.Sandbox;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.SessionFolders;
import agentsessions.runner.sandbox.Strangers;
import agentsessions.runner.sandbox.Tools;
import agentsessions.runner.sandbox.Unconfined;
import agentsessions.runner.sandbox.process.ControlGroups;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the machine offers a turn.
///
/// @param folders where sessions have theirs
/// @param isolation what an agent's sandbox is here
/// @param groups what bounds the memory of a turn, where it can be made
/// @param strangers what else runs here since the runner began
/// @param keys who has the models' keys, where the environment has none
/// @param environment the runner's own environment, from which catalogue entries may name variables
public record Machine(
    SessionFolders folders,
    Isolation isolation,
    Tools tools,
    Limits limits,
    ControlGroups groups,
    Strangers strangers,
    Optional<Keys> keys,
    Map<String, String> environment,
    Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(Machine.class);

  /// What no entry may name.
  private static final Set<String> SECRETS = Set.of("TASK_SECRET", "TICKET");

  /// From the environment: `SANDBOXES` (default: a folder in the temporary directory) and, in a
  /// task, `SANDBOX_ROOT`, what [SessionFolders] are made of, `ISOLATION` (`bubblewrap`, `task` or
  /// `none`; found out if not given), `TOOLS`, a folder with installed agents, and what {@link
  /// Limits#of} and {@link Keys#of} read.
  public static Machine of(Map<String, String> environment) {
    String temporary = System.getProperty("java.io.tmpdir", "/tmp");
    Path sandboxes = Path.of(environment.getOrDefault("SANDBOXES", temporary + "/sandboxes"));
    Tools tools = new Tools(Optional.ofNullable(environment.get("TOOLS")).map(Path::of));
    Map<String, String> known = new HashMap<>(environment);
    known.keySet().removeAll(SECRETS);
    Optional<Path> root = Optional.ofNullable(environment.get("SANDBOX_ROOT")).map(Path::of);
    return new Machine(
        new SessionFolders(sandboxes, root),
        isolation(environment),
        tools,
        Limits.of(environment),
        ControlGroups.find(),
        Strangers.fromNow(),
        Keys.of(environment),
        Map.copyOf(known),
        Clock.systemUTC());
  }

  /// Where sessions' folders are between turns.
  Storage storage() {
    return Storage.of(isolation, environment, folders, strangers);
  }

  /// The sandbox for an agent, if it can have one it may run in.
  Sandbox sandbox(SessionFolder folder, Path io, AgentEntry entry) throws TurnFailed {
    if (isolation == Isolation.BUBBLEWRAP) {
      return new Bubblewrap(folder, io, tools, limits, groups);
    }
    boolean inTask = isolation == Isolation.TASK;
    if (inTask || entry.isolation() == AgentEntry.Isolation.TRUSTED) {
      return new Unconfined(folder, io, tools, limits, groups, inTask);
    }
    throw new TurnFailed(
        TurnError.Code.AGENT_NOT_AVAILABLE,
        "The agent runs only in a sandbox, and this machine has none.");
  }

  /// Whether agents reach what they are allowed, and nothing else.
  boolean closesNetworks() {
    return isolation == Isolation.BUBBLEWRAP;
  }

  /// What runs our own errands in the session's sandbox.
  Errands errands(SessionFolder folder, Path io, AgentEntry entry, Consumer<Runnable> onLost)
      throws TurnFailed {
    Sandbox _ = sandbox(folder, io, entry);
    return new Errands(folder, () -> again(folder, io, entry), limits, onLost);
  }

  private Sandbox again(SessionFolder folder, Path io, AgentEntry entry) {
    try {
      return sandbox(folder, io, entry);
    } catch (TurnFailed impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// What an agent can reach, with the hosts that the operator allows all of them
  /// (`ALLOWED_HOSTS`).
  Network network(AgentEntry entry) {
    return entry
        .network()
        .and(
            Stream.of(environment.getOrDefault("ALLOWED_HOSTS", "").split(","))
                .map(String::strip)
                .filter(rule -> !rule.isEmpty())
                .map(HostRule::of)
                .toList());
  }

  /// The way to an agent's model, with all names filled in.
  AgentEntry.Model model(AgentEntry.Model model, Claim claim) throws TurnFailed {
    if (keys.isPresent()) {
      return keys.get().way(model, claim.agentName());
    }
    Map<String, String> known = new HashMap<>(environment);
    known.putAll(claim.keys());
    return model.filled(known);
  }

  /// Which addresses may be reached: private ones, too, where `ALLOW_PRIVATE` or the turn says so.
  Addresses addresses(Claim claim) {
    boolean turn = claim.work() != null && claim.work().allowPrivate();
    return new Addresses(turn || Boolean.parseBoolean(environment.get("ALLOW_PRIVATE")));
  }

  /// Refuses an agent whose command is not installed.
  void require(String command) throws TurnFailed {
    if (!tools.has(
        command, isolation == Isolation.BUBBLEWRAP ? Tools.SYSTEM_PATH : Tools.ownPath())) {
      throw new TurnFailed(
          TurnError.Code.AGENT_NOT_AVAILABLE,
          "The agent's command, %s, is not installed.".formatted(command));
    }
  }

  private static Isolation isolation(Map<String, String> environment) {
    String isolation = environment.get("ISOLATION");
    if (isolation != null) {
      return Isolation.valueOf(isolation.toUpperCase(Locale.ROOT));
    }
    Optional<String> refusal = Bubblewrap.refusal();
    refusal.ifPresent(reason -> LOG.warn("no sandbox: {}", reason));
    return refusal.isEmpty() ? Isolation.BUBBLEWRAP : Isolation.NONE;
  }
}
