package agentsessions.contract;

import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Answer;
import agentsessions.talk.Client;
import agentsessions.talk.Session;
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

/// The service under test: one that is named from outside, or one started for this JVM.
public final class Target {
  private static final @Nullable String URL = setting("CONTRACT_URL");
  private static final AtomicInteger clients = new AtomicInteger();
  private static final Queue<Session> MADE = new ConcurrentLinkedQueue<>();

  static {
    // Must be said before the JDK's client is first used: a test sends a Host of its own.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("log.level", System.getProperty("log.level", "WARN"));
  }

  private Target() {}

  /// A client with the key of one workspace: of a workspace of its own, where keys can be made;
  /// else with the next of the keys that were given, since each allows 100 requests a minute.
  public static Client client() {
    if (URL == null) {
      return fresh(1);
    }
    List<String> keys = List.of(required("CONTRACT_KEY").split("[ ,]+", -1));
    return client(URL, keys.get(clients.getAndIncrement() % keys.size()));
  }

  /// A client for more requests than one key allows: with several keys of a workspace of its own,
  /// where keys can be made.
  public static Client busyClient() {
    return URL == null ? fresh(3) : client();
  }

  /// A client with the key of another workspace than every other client's.
  public static Client otherClient() {
    return URL == null ? fresh(1) : client(URL, required("CONTRACT_OTHER_KEY"));
  }

  /// A client with the key of a workspace in which nobody else makes keys, where there is one.
  public static Optional<Client> loneClient() {
    return URL == null
        ? Optional.of(fresh(1))
        : Optional.ofNullable(setting("CONTRACT_LONE_KEY")).map(key -> client(URL, key));
  }

  /// How many equal requests are sent at once. A deployment may start a function for each.
  public static int atOnce() {
    String number = setting("CONTRACT_AT_ONCE");
    return number == null ? (URL == null ? 64 : 8) : Integer.parseInt(number);
  }

  /// Whether each client has a key that nobody else uses.
  public static boolean makesKeys() {
    return URL == null;
  }

  /// Whether sessions may clone from this machine, by plain http, and be given secrets.
  public static boolean trusts() {
    return URL == null || setting("CONTRACT_TRUSTS") != null;
  }

  /// Where a git host is in reach of the service's runners; 0 where any port of this machine is.
  public static int gitPort() {
    String port = setting("CONTRACT_GIT_PORT");
    return port == null ? 0 : Integer.parseInt(port);
  }

  private static Client client(String base, String key) {
    return watched(Client.at(base, key));
  }

  /// Whatever it sends and gets is held against the [Contract].
  private static Client watched(Client client) {
    return client.patient(Pace.LIMIT, Pace.PERIOD).observedBy(Target::saw);
  }

  private static void saw(
      Client client, HttpRequest request, @Nullable String body, Answer answer) {
    if (request.method().equals("POST")
        && request.uri().getPath().endsWith("/sessions")
        && answer.status() == 201) {
      MADE.add(new Session(client, answer.json()));
    }
    Contract.saw(client.base(), request, body, answer);
  }

  /// The sessions that were created, by whichever client.
  static Queue<Session> made() {
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

    /// What a test would wait for is as short as can be: a revoked key's last seconds, and an
    /// attempt to reach who does not answer.
    private static Map<String, Object> settings() {
      return Map.of(
          Settings.ALLOW_PRIVATE,
          true,
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
