package agentsessions.contract;

import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The service under test: the one at `CONTRACT_URL`, or one that is started in this JVM.
public final class Target {
  /// A host that agents of the service that is started here may reach, and where nobody listens.
  public static final String CLOSED_HOST = "127.0.0.1:9";

  private static final @Nullable String URL = setting("CONTRACT_URL");
  private static final AtomicInteger clients = new AtomicInteger();
  private static final Queue<SessionHandle> MADE = new ConcurrentLinkedQueue<>();

  static {
    // Set before the JDK's client is first used: a test sends a Host header of its own.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("log.level", System.getProperty("log.level", "WARN"));
  }

  private Target() {}

  /// A client with one key: of a new workspace, where the suite can make keys; else the next of the
  /// given keys, since each allows 100 requests a minute.
  public static Client client() {
    if (URL == null) {
      return fresh(1);
    }
    List<String> keys = List.of(required("CONTRACT_KEY").split("[ ,]+", -1));
    return client(URL, keys.get(clients.getAndIncrement() % keys.size()));
  }

  /// A client for more requests than one key allows: with several keys of a new workspace, where
  /// the suite can make keys.
  public static Client busyClient() {
    return URL == null ? fresh(3) : client();
  }

  /// A client with the key of a workspace that no other client belongs to.
  public static Client otherClient() {
    return URL == null ? fresh(1) : client(URL, required("CONTRACT_OTHER_KEY"));
  }

  /// A client of a workspace in which no other test makes keys, if there is one.
  public static Optional<Client> loneClient() {
    return URL == null
        ? Optional.of(fresh(1))
        : Optional.ofNullable(setting("CONTRACT_LONE_KEY")).map(key -> client(URL, key));
  }

  /// The number of equal requests that are sent at once; smaller for a deployment, which may start
  /// a function for each.
  public static int atOnce() {
    String number = setting("CONTRACT_AT_ONCE");
    return number == null ? (URL == null ? 64 : 8) : Integer.parseInt(number);
  }

  /// Whether the suite makes its own keys, so that no key is shared.
  public static boolean makesKeys() {
    return URL == null;
  }

  /// Whether calls of the shell agent's tools can wait for a decision.
  public static boolean asks(Client client) {
    return client
        .get("/agents")
        .ok()
        .path("items")
        .valueStream()
        .anyMatch(agent ->
            agent.path("name").asText().equals("shell")
                && agent.at("/requests/tools").asText().equals("exact"));
  }

  /// Whether the shell agent is asked about hosts, and {@link #CLOSED_HOST} is one of those that it
  /// may reach.
  public static boolean asksAboutHosts(Client client) {
    return URL == null && asks(client);
  }

  /// Whether sessions may clone from this machine over plain http, and be given secrets.
  public static boolean trusts() {
    return URL == null || setting("CONTRACT_TRUSTS") != null;
  }

  /// The port at which runners can reach a git host of this machine; 0 if any port will do.
  public static int gitPort() {
    String port = setting("CONTRACT_GIT_PORT");
    return port == null ? 0 : Integer.parseInt(port);
  }

  private static Client client(String base, String key) {
    return watched(Client.at(base, key));
  }

  /// A client whose exchanges are all held against the [Contract].
  private static Client watched(Client client) {
    return client.patient(SuiteTiming.LIMIT, SuiteTiming.PERIOD).observedBy(Target::saw);
  }

  private static void saw(
      Client client, HttpRequest request, @Nullable String body, ApiResponse answer) {
    if (request.method().equals("POST")
        && request.uri().getPath().endsWith("/sessions")
        && answer.status() == 201) {
      MADE.add(new SessionHandle(client, answer.json()));
    }
    Contract.saw(client.base(), request, body, answer);
  }

  /// All sessions that the suite has created.
  static Queue<SessionHandle> made() {
    return MADE;
  }

  private static Client fresh(int keys) {
    LocalService service = Local.SERVICE;
    String workspace = "contract-" + clients.incrementAndGet();
    return watched(
        Client.of(
            service.baseUrl(),
            Stream.generate(() -> service.createKey(workspace)).limit(keys).toList()));
  }

  private static String required(String name) {
    String value = setting(name);
    if (value == null) {
      throw new IllegalStateException("CONTRACT_URL is set, but not " + name);
    }
    return value;
  }

  private static @Nullable String setting(String name) {
    String value = System.getProperty(name, System.getenv(name));
    return value == null || value.isBlank() ? null : value;
  }

  private static final class Local {
    static final LocalService SERVICE =
        LocalService.start(new Settings(0, 0, folder(), Optional.empty(), settings()));

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVICE::close));
    }

    /// Short waiting times: a revoked key is refused after a second, and a webhook attempt without
    /// an answer ends after five.
    private static Map<String, Object> settings() {
      return Map.of(
          Settings.ALLOW_PRIVATE,
          true,
          Settings.ALLOWED_HOSTS,
          CLOSED_HOST,
          Settings.KEY_CACHE_SECONDS,
          1,
          "webhooks.attempt.seconds",
          5);
    }

    private static Path folder() {
      try {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target")), "contract-");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
