package agentsessions.chaos.rig;

import agentsessions.authorizer.Grant;
import agentsessions.authorizer.Scope;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeAction;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.AttributeValueUpdate;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ExpectedAttributeValue;

/// The service as scripts/start runs it, in a process of its own with its children, to be killed
/// and started again on the same folder and ports.
public final class ServiceProcess implements AutoCloseable {
  private static final Grant ALL = new Grant("chaos", Scope.all(), null);
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final AttributeValueUpdate LONG_AGO =
      AttributeValueUpdate.builder()
          .action(AttributeAction.PUT)
          .value(AttributeValue.fromN("1000"))
          .build();
  private static final AttributeValue PARKED = AttributeValue.fromS("PARKED");
  private static final SecureRandom CHANCE = new SecureRandom();
  private static final String TABLE = "agent-sessions";

  private final Path data;
  private final ServiceCommand command;
  private Process process;
  private URI base;
  private URI downloads = free();

  /// @param properties system properties of the process
  public ServiceProcess(Path data, Map<String, String> properties) throws IOException {
    this(data, properties, List.of());
  }

  /// @param arguments of scripts/start, without folder and ports
  public ServiceProcess(Path data, Map<String, String> properties, List<String> arguments)
      throws IOException {
    this(data, new ServiceCommand(properties, arguments), free());
  }

  private ServiceProcess(Path data, ServiceCommand command, URI base) throws IOException {
    this.data = data;
    this.base = base;
    this.command = command;
    SharedRig.close();
    process = start();
  }

  /// A service with a public URL, on loopback.
  public static ServiceProcess open(Path data, List<String> arguments) throws IOException {
    URI base = free();
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--host", base.getHost(), "--public-url", base.toString()));
    return new ServiceProcess(data, new ServiceCommand(Map.of(), all), base);
  }

  /// A free address on loopback, below the ports that the system gives to whoever asks for any:
  /// another process could get one of those between a kill and the start after it.
  static URI free() {
    int port = CHANCE.nextInt(10_000, 20_000);
    while (!isFree(port)) {
      port = CHANCE.nextInt(10_000, 20_000);
    }
    return URI.create("http://127.0.0.1:" + port);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /// The address of the API, known once the service was awaited.
  public URI base() {
    return base;
  }

  /// The address of the bucket.
  public URI downloads() {
    return downloads;
  }

  public Path data() {
    return data;
  }

  public Client client() throws IOException {
    return Client.of(base(), List.of(Files.readString(data.resolve("local-key")).strip()));
  }

  /// The environment variables by which other tools reach the stand-ins of AWS.
  public Properties aws() throws IOException {
    Properties environment = new Properties();
    try (Reader file = Files.newBufferedReader(data.resolve("aws.env"))) {
      environment.load(file);
    }
    return environment;
  }

  /// A client of the table, by that environment.
  public DynamoDbClient table() throws IOException {
    Properties environment = aws();
    return DynamoDbClient.builder()
        .region(Region.US_EAST_1)
        .endpointOverride(URI.create(environment.getProperty("AWS_ENDPOINT_URL_DYNAMODB")))
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(environment.getProperty("AWS_ACCESS_KEY_ID"), "x")))
        .build();
  }

  /// A client of a workspace, with so many new keys.
  public Client client(String workspace, int keys) throws IOException {
    try (DynamoDbClient table = table()) {
      WorkspaceKeys all = new WorkspaceKeys(table, TABLE);
      return Client.of(
          base(),
          Stream.generate(() -> all.create(workspace, ALL).orElseThrow().text())
              .limit(keys)
              .toList());
    }
  }

  /// A new key of a workspace, with all scopes.
  public String key(String workspace) throws IOException {
    return key(workspace, ALL);
  }

  /// A new read-only key of a workspace.
  public String readKey(String workspace) throws IOException {
    return key(workspace, new Grant("reader", Set.of(Scope.READ), null));
  }

  private String key(String workspace, Grant grant) throws IOException {
    try (DynamoDbClient table = table()) {
      return new WorkspaceKeys(table, TABLE).create(workspace, grant).orElseThrow().text();
    }
  }

  /// Sets an item's lease and due time to the past, as if they had run out.
  public void age(String pk, String sk) throws IOException {
    Map<String, AttributeValue> key = key(pk, sk);
    try (DynamoDbClient table = table()) {
      Map<String, AttributeValueUpdate> past = past(read(table, key));
      if (!past.isEmpty()) {
        table.updateItem(update -> update.tableName(TABLE).key(key).attributeUpdates(past));
      }
    }
  }

  /// Lets what a killed process had taken run out: a lease, or the time for a start. A parked turn
  /// waits for a person, and is left alone, as is what has changed meanwhile.
  public void ageTaken(String pk, String sk) throws IOException {
    Map<String, AttributeValue> key = key(pk, sk);
    try (DynamoDbClient table = table()) {
      Map<String, AttributeValue> item = read(table, key);
      Map<String, AttributeValueUpdate> past = past(item);
      Map<String, ExpectedAttributeValue> seen = new HashMap<>();
      past.keySet()
          .forEach(name ->
              seen.put(name, ExpectedAttributeValue.builder().value(item.get(name)).build()));
      if (!past.isEmpty() && !PARKED.equals(item.get("status"))) {
        table.updateItem(
            update -> update.tableName(TABLE).key(key).attributeUpdates(past).expected(seen));
      }
    } catch (ConditionalCheckFailedException changed) {
      // Its holder lives, or another has taken it.
    }
  }

  private static Map<String, AttributeValue> key(String pk, String sk) {
    return Map.of("PK", AttributeValue.fromS(pk), "SK", AttributeValue.fromS(sk));
  }

  private static Map<String, AttributeValue> read(
      DynamoDbClient table, Map<String, AttributeValue> key) {
    return table.getItem(get -> get.tableName(TABLE).key(key).consistentRead(true)).item();
  }

  private static Map<String, AttributeValueUpdate> past(Map<String, AttributeValue> item) {
    Map<String, AttributeValueUpdate> past = new HashMap<>();
    Stream.of("due_at", "lease_until")
        .filter(item::containsKey)
        .forEach(attribute -> past.put(attribute, LONG_AGO));
    return past;
  }

  public long pid() {
    return process.pid();
  }

  /// Waits until the service answers; returns the waiting time.
  public Duration await() {
    Instant start = Instant.now();
    String log = data.resolve("service.log").toString();
    Await.await("the service's start: see " + log, TIMEOUT, Duration.ofMillis(20))
        .failFast("the service has ended: see " + log, () -> !process.isAlive())
        .until(this::answers);
    downloads = downloadsAsTold();
    return Duration.between(start, Instant.now());
  }

  /// The runner's processes, found by their main class.
  public List<ProcessHandle> runners() {
    return children("agentsessions.runner.start.Main").toList();
  }

  /// Whether one of its descendants has this word on its command line.
  public boolean runs(String word) {
    return process
        .descendants()
        .flatMap(below -> below.info().arguments().stream())
        .anyMatch(all -> List.of(all).contains(word));
  }

  /// The processes of the service: itself and all descendants.
  public List<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  public Optional<ProcessHandle> child(String text) {
    return children(text).findFirst();
  }

  private Stream<ProcessHandle> children(String text) {
    return process.children().filter(child -> child.info().commandLine().orElse("").contains(text));
  }

  /// `kill -9` for the service and all its descendants, the database included, at once.
  public void kill() {
    List<ProcessHandle> tree = processes();
    tree.forEach(ProcessHandle::destroyForcibly);
    tree.forEach(dead -> dead.onExit().join());
  }

  public void killRunners() {
    List<ProcessHandle> runners = runners();
    runners.forEach(ProcessHandle::destroyForcibly);
    runners.forEach(dead -> dead.onExit().join());
  }

  /// Sends INT, as Ctrl-C does, and waits for the end.
  public void interrupt() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(pid())).start().waitFor();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      throw new AssertionError("the service did not stop: see " + data.resolve("service.log"));
    }
  }

  public void restart() throws IOException {
    process = start();
    await();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      kill();
    }
  }

  private Process start() throws IOException {
    Files.createDirectories(data);
    return new ProcessBuilder(command.line(base, downloads, data))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(data.resolve("service.log").toFile()))
        .start();
  }

  /// The address of the service in a URL that it has written.
  public static URI host(String told) {
    return URI.create("http://" + URI.create(told.strip()).getAuthority());
  }

  private URI downloadsAsTold() {
    try {
      return URI.create(aws().getProperty("AWS_ENDPOINT_URL_S3"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers() {
    try {
      if (!Files.exists(data.resolve("local-key")) || !Files.exists(data.resolve("base-url"))) {
        return false;
      }
      base = host(Files.readString(data.resolve("base-url")));
      return Client.of(base(), List.of("none")).get("/health").status() == 200
          && client().get("/me").status() == 200;
    } catch (IOException | UncheckedIOException notYet) {
      return false;
    }
  }
}
