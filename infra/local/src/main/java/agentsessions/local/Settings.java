package agentsessions.local;

import agentsessions.local.aws.AwsEndpoint;
import agentsessions.local.aws.LocalTable;
import agentsessions.local.aws.ObjectStore;
import agentsessions.local.front.Gateway;
import agentsessions.local.machine.InstalledCommands;
import agentsessions.local.process.RunnerPool;
import agentsessions.local.process.TaskImage;
import agentsessions.local.steps.StateMachineArns;
import com.google.common.base.Splitter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The settings of the service on this machine.
///
/// @param port of the API; 0: any free one
/// @param s3Port of downloads; 0: any free one
/// @param data the folder that keeps everything between runs
/// @param tools a folder with installed agents, as npm lays it out, that sandboxes see; beside the
///   system's own folders
/// @param environment the variables that the catalogue's entries may name
/// @param service settings of the service that differ from this machine's defaults, by name, such
///   as `start.grace.seconds`
public record Settings(
    int port,
    int s3Port,
    Path data,
    Optional<Path> tools,
    Map<String, String> environment,
    Map<String, Object> service) {
  /// The file of a catalogue that replaces the packaged one.
  public static final String AGENTS_FILE = "agents.file";

  /// The file of model prices that override the packaged ones.
  public static final String PRICES_FILE = "prices.file";

  /// The origin whose pages may read responses (CORS), or `*`.
  public static final String CORS_ORIGIN = "cors.origin";

  /// The disk quota of a session, in MiB.
  public static final String SESSION_DISK = "session.disk.mib";

  /// The memory limit of all processes of a turn together, in MiB.
  public static final String TURN_MEMORY = "turn.memory.mib";

  /// The limit of turns of one workspace that wait or run at once.
  public static final String MAX_LIVE_TURNS = "max.live.turns";

  /// Agents, separated by commas, that may run without a sandbox where none can be made, regardless
  /// of the catalogue.
  public static final String TRUSTED_AGENTS = "trusted.agents";

  /// The allow-list of hosts for every agent, separated by commas.
  public static final String ALLOWED_HOSTS = "allowed.hosts";

  /// Whether agents and repositories may reach private addresses.
  public static final String ALLOW_PRIVATE = "allow.private";

  /// Whether agents without a sandbox are given secrets and credentials.
  public static final String TRUST_SECRETS = "trust.secrets";

  /// The place of a session's files between its turns: `machine`, a folder of this machine, or
  /// `objects`, the bucket, as on Lambda.
  public static final String SANDBOXES = "sandboxes";

  /// The engine that runs turns: `container`, a task for each session; otherwise the runner's
  /// processes.
  public static final String ENGINE = "engine";

  /// The limit of turns that run at once.
  static final String RUNNER_PLACES = "runner.places";

  /// The time that a task waits for its session's next turn, in seconds.
  static final String IDLE = "idle.seconds";

  /// The lifetime of the authorizer's cached answers, in seconds. A revoked key may work for as
  /// long.
  public static final String KEY_CACHE_SECONDS = "key.cache.seconds";

  /// The name of the image that tasks are made of.
  public static final String IMAGE = "image";

  /// The address to listen on for use by other machines.
  public static final String HOST = "host";

  /// The URL by which other machines reach the service.
  public static final String PUBLIC_URL = "public.url";

  /// Settings with the environment of this process.
  public Settings(
      int port, int s3Port, Path data, Optional<Path> tools, Map<String, Object> service) {
    this(port, s3Port, data, tools, System.getenv(), service);
  }

  /// Settings with free ports, for tests.
  public static Settings of(Path data) {
    return new Settings(0, 0, data, Optional.empty(), Map.of());
  }

  /// The disk quota of a session, in bytes: the setting, else a quarter of the free space, at most
  /// 10 GiB.
  long sessionDisk(long free) {
    Object given = service.get(SESSION_DISK);
    return given == null ? Math.min(10L << 30, free / 4) : Long.parseLong(given.toString()) << 20;
  }

  /// The memory limit of a turn, in MiB; empty: the runner's default.
  Optional<String> turnMemory() {
    return Optional.ofNullable(service.get(TURN_MEMORY)).map(Object::toString);
  }

  /// The operator's own catalogue, if there is one.
  Optional<Path> agentsFile() {
    return Optional.ofNullable(service.get(AGENTS_FILE)).map(file -> Path.of(file.toString()));
  }

  /// The agents that the operator trusts by name.
  List<String> trusted() {
    return Splitter.on(',')
        .omitEmptyStrings()
        .splitToList(service.getOrDefault(TRUSTED_AGENTS, "").toString());
  }

  /// The agents' network access, as environment variables of the runner.
  Map<String, String> reach() {
    return Map.of(
        "ALLOWED_HOSTS", service.getOrDefault(ALLOWED_HOSTS, "").toString(),
        "ALLOW_PRIVATE", service.getOrDefault(ALLOW_PRIVATE, false).toString());
  }

  /// The public address, if other machines are to use the service.
  ///
  /// @throws agentsessions.local.machine.CannotStart if the address cannot be used
  Optional<PublicAddress> outside() {
    return Optional.ofNullable(service.get(HOST))
        .map(host ->
            PublicAddress.of(host.toString(), URI.create(String.valueOf(service.get(PUBLIC_URL)))));
  }

  /// The time that a task waits for its session's next turn, in seconds. Short, since a new task
  /// takes two seconds here and only a few fit on one machine.
  int idleSeconds() {
    return Integer.parseInt(service.getOrDefault(IDLE, 60).toString());
  }

  /// The limit of turns that run at once.
  int runnerPlaces() {
    return Integer.parseInt(service.getOrDefault(RUNNER_PLACES, RunnerPool.PLACES).toString());
  }

  /// The lifetime of the authorizer's cached answers.
  Duration keyCache() {
    return Optional.ofNullable(service.get(KEY_CACHE_SECONDS))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds.toString())))
        .orElse(Gateway.KEY_CACHE);
  }

  boolean runsTasks() {
    return "container".equals(service.get(ENGINE));
  }

  /// The name of the tasks' image.
  String image() {
    return service.getOrDefault(IMAGE, TaskImage.USUAL).toString();
  }

  boolean keepsSandboxesAsObjects() {
    return runsTasks() || "objects".equals(service.get(SANDBOXES));
  }

  /// The one origin whose pages may read responses, or `*`; empty: none.
  String corsOrigin() {
    return service.getOrDefault(CORS_ORIGIN, "").toString();
  }

  /// All settings of the service, which its functions read from their environment on Lambda.
  Map<String, Object> forService(
      Map<String, Object> addresses, List<String> agents, SandboxSupport isolation) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("table", LocalTable.NAME);
    settings.put("bucket", ObjectStore.BUCKET);
    settings.put("state.machine", StateMachineArns.TURN.machine());
    settings.put("export.machine", StateMachineArns.EXPORT.machine());
    settings.put("runner.function", "Runner");
    settings.put(ENGINE, "machine");
    settings.put("signing.secret", AwsEndpoint.SIGNING_SECRET);
    settings.put("parameters", "/agent-sessions/local");
    settings.put("usage.plan", "local");
    settings.putAll(addresses);
    settings.put("agents", String.join(",", agents));
    settings.put("isolation", isolation.name());
    settings.put("memory", isolation.boundsMemory() ? "cgroup" : "none");
    settings.put("git.installed", InstalledCommands.isInSandboxes("git"));
    settings.put("start.grace.seconds", 3);
    settings.put("lease.seconds", 20);
    settings.put(SANDBOXES, "machine");
    settings.put("check.millis", 500);
    settings.put("one.process", true);
    settings.put("sweep.seconds", 3); // deletions wait for the next sweep
    settings.put("attempt.seconds", 5); // a busy machine is slower than AWS
    if (runsTasks()) {
      settings.put(IDLE, idleSeconds());
      settings.put(SANDBOXES, "objects");
      Stream.of("cluster", "task.definition", "subnets", "security.group")
          .forEach(name -> settings.put(name, "local"));
    }
    settings.putAll(service);
    return settings;
  }
}
