package agentsessions.local.aws;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import agentsessions.local.machine.Installation;
import agentsessions.local.process.ChildJvm;
import agentsessions.local.wire.SecretPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// DynamoDB Local as a supervised child process. It is started again after a crash, on the same
/// port, so that clients only retry.
///
/// It is never on a class path of the product, because its licence forbids building against it. It
/// checks no signature, so it serves only below a secret path, which is part of its address.
public final class DynamoDbLocal implements AutoCloseable {
  /// The largest heap is twice the need of the calls that PrivateServer admits at once.
  private static final List<String> HEAP = List.of("-Xms40m", "-Xmn24m", "-Xmx256m");

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  /// The limit of deaths during a start; after that many it is given up.
  private static final int MOST_DEATHS = 3;

  private final Installation installation;
  private final Path folder;
  private final Path logFile;
  private final Socket reserved = freePort();
  private final SecretPath path = SecretPath.random();
  private final CountDownLatch lives = new CountDownLatch(MOST_DEATHS);
  private final ChildJvm child = new ChildJvm("DynamoDB Local", this::command, lives::countDown);

  /// @param folder for its data, exclusively
  public DynamoDbLocal(Installation installation, Path folder, Path logFile) {
    this.installation = installation;
    this.folder = folder;
    this.logFile = logFile;
  }

  public void start() {
    child.start();
  }

  /// Waits until the database answers. If it dies meanwhile, it is started again.
  ///
  /// @throws CannotStart for now, if it dies three times or takes longer than a minute
  public DynamoDbLocal await() throws InterruptedException {
    Instant deadline = Instant.now().plus(TIMEOUT);
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!answers(client)) {
        if (hasDiedTooOften() || Instant.now().isAfter(deadline)) {
          throw CannotStart.forNow("DynamoDB Local did not start: see " + logFile);
        }
      }
    }
    return this;
  }

  /// The database's address. It contains the secret path, so it must not be logged.
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + reserved.getLocalPort() + path.text());
  }

  long pid() {
    return child.pid();
  }

  @Override
  public void close() {
    child.close();
    try {
      reserved.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Waits a moment for the third death, which also paces the polling.
  private boolean hasDiedTooOften() throws InterruptedException {
    return lives.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private ProcessBuilder command() {
    ProcessBuilder builder = new ProcessBuilder(line());
    builder.environment().put("DDB_LOCAL_TELEMETRY", "0");
    builder.environment().put("DYNAMODB_PATH", path.text());
    builder.directory(folder.toFile());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()));
  }

  private List<String> line() {
    List<String> line = new ArrayList<>();
    line.add(Installation.java());
    line.add(installation.jvmOptions());
    line.addAll(HEAP);
    line.addAll(Installation.options("database"));
    line.addAll(
        List.of(
            "-Djava.io.tmpdir=" + emptied(folder.resolve("tmp")),
            "-Dagentsessions.lock=" + folder.resolve(".lock"),
            "-Dagentsessions.database=" + installation.dynamoDbJars(),
            "-cp",
            installation.dynamoDbClassPath(),
            "agentsessions.local.dynamodb.ParentWatch",
            "agentsessions.local.dynamodb.PrivateServer",
            "-port",
            Integer.toString(reserved.getLocalPort()),
            "-sharedDb",
            "-dbPath",
            folder.toString(),
            "-disableTelemetry"));
    return line;
  }

  private boolean answers(HttpClient client) throws InterruptedException {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(endpoint()).timeout(Duration.ofSeconds(5)).build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  /// The database unpacks a native library into this folder at each start and leaves it behind when
  /// it is killed.
  private static Path emptied(Path folder) {
    try {
      Files.createDirectories(folder);
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      return folder;
    } catch (IOException e) {
      throw new CannotStart("Cannot empty " + folder + ": " + Failures.text(e), e);
    }
  }

  /// A socket that has a free port, and does not listen: on Linux nobody else is given that port,
  /// and the database may listen at it, at each of its starts.
  private static Socket freePort() {
    try {
      Socket socket = new Socket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
