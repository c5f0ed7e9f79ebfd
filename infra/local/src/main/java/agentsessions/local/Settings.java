package agentsessions.local;

import agentsessions.local.aws.AwsEndpoint;
import agentsessions.local.aws.LocalTable;
import agentsessions.local.aws.ObjectStore;
import agentsessions.local.front.Gateway;
import agentsessions.local.process.TaskImage;
import agentsessions.local.steps.Arns;
import com.google.common.base.Splitter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What one can choose about the service on this machine.
///
/// @param port of the API; 0: any free one
/// @param s3Port of the downloads; 0: any free one
/// @param data the folder that keeps everything between runs
/// @param tools a folder with installed agents, as npm lays it out, that sandboxes see; beside the
///   system's own folders
/// @param environment the variables that the catalogue's entries may name
/// @param service settings of the service that differ from what is usual here, by name, such as
///   `start.grace.seconds`
public record Settings(
    int port,
    int s3Port,
    Path data,
    Optional<Path> tools,
    Map<String, String> environment,
    Map<String, Object> service) {
  /// Names a catalogue to be used instead of the packaged one.
  public static final String AGENTS_FILE = "agents.file";

  /// Names prices of models to be laid over the packaged ones.
  public static final String PRICES_FILE = "prices.file";

  /// Names the origin whose pages may read answers.
  public static final String CORS_ORIGIN = "cors.origin";

  /// What a session may take of the disk, in MiB.
  public static final String SESSION_DISK = "session.disk.mib";

  /// What the processes of a turn may have of the memory together, in MiB.
  public static final String TURN_MEMORY = "turn.memory.mib";

  /// How many turns of one workspace may wait or run at once.
  public static final String MAX_LIVE_TURNS = "max.live.turns";

  /// Names agents that run without a sandbox where none can be made, whatever the catalogue says.
  public static final String TRUSTED_AGENTS = "trusted.agents";

  /// Hosts that every agent may reach, with commas between.
  public static final String ALLOWED_HOSTS = "allowed.hosts";

  /// Whether agents and repositories may reach private addresses.
  public static final String ALLOW_PRIVATE = "allow.private";

  /// Whether agents that nothing confines are given secrets and credentials.
  public static final String TRUST_SECRETS = "trust.secrets";

  /// Where a session's files are between its turns: `machine`, or `objects` as on Lambda, where one
  /// runner is for one session.
  public static final String SANDBOXES = "sandboxes";

  /// What runs turns: `container`, each session's in a task of its own, or the runner's processes.
  public static final String ENGINE = "engine";

  /// How long a task waits for its session's next turn, in seconds.
  static final String IDLE = "idle.seconds";

  /// How long the authorizer's answer to a key is kept, in seconds: so long may a revoked key be
  /// good.
  public static final String KEY_CACHE_SECONDS = "key.cache.seconds";

  /// Of the tasks.
  public static final String IMAGE = "image";

  /// For use by others: the address to listen on.
  public static final String HOST = "host";

  /// And what they call the service.
  public static final String PUBLIC_URL = "public.url";

  /// With this process's environment.
  public Settings(
      int port, int s3Port, Path data, Optional<Path> tools, Map<String, Object> service) {
    this(port, s3Port, data, tools, System.getenv(), service);
  }

  /// Any free ports, for tests.
  public static Settings of(Path data) {
    return new Settings(0, 0, data, Optional.empty(), Map.of());
  }

  /// What a session may take of the disk, in bytes: as the service's settings have it, else a
  /// quarter of the room there is, and 10 GiB at most.
  long sessionDisk(long free) {
    Object given = service.get(SESSION_DISK);
    return given == null ? Math.min(10L << 30, free / 4) : Long.parseLong(given.toString()) << 20;
  }

  /// What the processes of a turn may have of the memory, in MiB; empty: what the runner thinks
  /// best.
  Optional<String> turnMemory() {
    return Optional.ofNullable(service.get(TURN_MEMORY)).map(Object::toString);
  }

  /// The operator's own catalogue, if there is one.
  Optional<Path> agentsFile() {
    return Optional.ofNullable(service.get(AGENTS_FILE)).map(file -> Path.of(file.toString()));
  }

  /// Those whom the operator trusts by name.
  List<String> trusted() {
    return Splitter.on(',')
        .omitEmptyStrings()
        .splitToList(service.getOrDefault(TRUSTED_AGENTS, "").toString());
  }

  /// What agents may reach, as the runner learns it.
  Map<String, String> reach() {
    return Map.of(
        "ALLOWED_HOSTS", service.getOrDefault(ALLOWED_HOSTS, "").toString(),
        "ALLOW_PRIVATE", service.getOrDefault(ALLOW_PRIVATE, false).toString());
  }

  /// How others reach the service, if they shall.
  ///
  /// @throws agentsessions.local.machine.CannotStart if they cannot in this way
  Optional<Outside> outside() {
    return Optional.ofNullable(service.get(HOST))
        .map(host ->
            Outside.of(host.toString(), URI.create(String.valueOf(service.get(PUBLIC_URL)))));
  }

  /// How long a task waits for its session's next turn: not for long, since a new one takes two
  /// seconds here, and there is room for a few only.
  int idleSeconds() {
    return Integer.parseInt(service.getOrDefault(IDLE, 60).toString());
  }

  /// How long the authorizer's answer to a key is kept.
  Duration keyCache() {
    return Optional.ofNullable(service.get(KEY_CACHE_SECONDS))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds.toString())))
        .orElse(Gateway.KEY_CACHE);
  }

  boolean runsTasks() {
    return "container".equals(service.get(ENGINE));
  }

  /// What tasks are made of.
  String image() {
    return service.getOrDefault(IMAGE, TaskImage.USUAL).toString();
  }

  boolean keepsSandboxesAsObjects() {
    return runsTasks() || "objects".equals(service.get(SANDBOXES));
  }

  /// The one origin whose pages may read answers, or `*`; empty: none.
  String corsOrigin() {
    return service.getOrDefault(CORS_ORIGIN, "").toString();
  }

  /// All settings of the service, as its functions find them in their environment on Lambda.
  Map<String, Object> forService(
      Map<String, Object> doors, List<String> agents, Isolation isolation) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("table", LocalTable.NAME);
    settings.put("bucket", ObjectStore.BUCKET);
    settings.put("state.machine", Arns.TURN.machine());
    settings.put("export.machine", Arns.EXPORT.machine());
    settings.put("runner.function", "Runner");
    settings.put(ENGINE, "machine");
    settings.put("signing.secret", AwsEndpoint.SIGNING_SECRET);
    settings.put("parameters", "/agent-sessions/local");
    settings.put("usage.plan", "local");
    settings.putAll(doors);
    settings.put("agents", String.join(",", agents));
    settings.put("isolation", isolation.name());
    settings.put("memory", isolation.boundsMemory() ? "cgroup" : "none");
    settings.put("git.installed", GitCommand.isInstalled());
    settings.put("start.grace.seconds", 3);
    settings.put("lease.seconds", 20);
    settings.put(SANDBOXES, "machine");
    settings.put("check.millis", 500);
    settings.put("one.process", true);
    settings.put("sweep.seconds", 3); // a deletion waits for the next sweep, so that no turn does
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
