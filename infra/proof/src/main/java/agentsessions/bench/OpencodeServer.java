package agentsessions.bench;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The process of `opencode serve`, with which speed is compared: alone, with a home of its own, a
/// session of three messages, and a model that answers at once.
final class OpencodeServer implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
  private static final int AT_ONCE = 8;

  /// The line in which the server names the free port that it chose.
  private static final Pattern LISTENS = Pattern.compile("listening on (http://[0-9.:]+)\\s");

  private static final String CONFIGURATION =
      """
      {"model": "shell/shell", "permission": "allow", "share": "disabled", "provider": {"shell":
        {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "MODEL", "apiKey": "none"},
        "models": {"shell": {}}}}}
      """;

  private final ShellModel model = new ShellModel("bash", Map.of("description", "a command"));
  private final Path log;
  private final Process process;
  private final Client client;
  private final Duration started;
  private final JsonNode session;

  private OpencodeServer(Path program, Path home, Path project) throws IOException {
    log = home.resolve("opencode.log");
    configure(home);
    long began = System.nanoTime();
    process = start(program, home, project);
    try {
      Await.await("opencode's start: see " + log, TIMEOUT, POLL_INTERVAL).until(this::listens);
      client = Client.at(told().toString(), null);
      client.get("/session?limit=20").expect(200);
      started = Duration.ofNanos(System.nanoTime() - began);
      session = client.post("/session", Map.of()).expect(200).json();
      for (int i = 0; i < 3; i++) {
        client.post(path() + "/message", silent("echo " + i)).expect(200);
      }
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
  }

  /// Empty where `scripts/bench` found no opencode.
  ///
  /// @param project the folder that it works in
  static Optional<OpencodeServer> start(Path home, Path project) throws IOException {
    Path program =
        Path.of(System.getProperty("agentsessions.tools", ""), "node_modules/.bin/opencode");
    return Files.isExecutable(program)
        ? Optional.of(new OpencodeServer(program.toAbsolutePath(), home, project))
        : Optional.empty();
  }

  /// Makes a home with so many empty sessions, where there is an opencode.
  static void fill(Path home, Path project, int count) throws Exception {
    Optional<OpencodeServer> server = start(home, project);
    if (server.isEmpty()) {
      return;
    }
    try (OpencodeServer filled = server.get();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<String>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(threads.submit(filled::create));
      }
      for (Future<String> one : all) {
        String _ = one.get();
      }
    }
  }

  URI url() {
    return URI.create(client.base());
  }

  String version() {
    return session.path("version").asText();
  }

  /// From its start to the first page of its sessions.
  Duration started() {
    return started;
  }

  URI sessionUrl() {
    return url().resolve(path());
  }

  URI lastMessageUrl() {
    return url().resolve(path() + "/message?limit=1");
  }

  /// The address of a page of 20 sessions.
  URI listUrl() {
    int listed = client.get("/session?limit=20").expect(200).json().size();
    if (listed != 20) {
      throw new AssertionError("opencode lists " + listed + " sessions");
    }
    return url().resolve("/session?limit=20");
  }

  List<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  /// Begins a session; its path.
  String create() {
    return "/session/" + client.post("/session", Map.of()).expect(200).text("/id");
  }

  /// A session of one turn, from its creation to its end.
  void turn() {
    client.post(create() + "/message", message("echo done")).expect(200);
  }

  /// Sends a message and does not wait for its turn.
  void send(String path, String text) {
    client.post(path + "/prompt_async", message(text)).expect(204);
  }

  /// Ends the turn of a session.
  void abort(String path) {
    client.post(path + "/abort", Map.of()).expect(200);
  }

  /// When its model was first asked about a message, which is waited for; `System.nanoTime`.
  long asked(String text) {
    return model.asked(text);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    model.close();
  }

  private String path() {
    return "/session/" + session.path("id").asText();
  }

  private static Map<String, ?> message(String text) {
    return Map.of("parts", List.of(Map.of("type", "text", "text", text)));
  }

  /// A message that begins no turn.
  private static Map<String, ?> silent(String text) {
    return Map.of("noReply", true, "parts", List.of(Map.of("type", "text", "text", text)));
  }

  /// A request during its start may never be answered, so none is sent before it prints its
  /// address.
  private boolean listens() throws IOException {
    return LISTENS.matcher(Files.readString(log)).find();
  }

  private URI told() throws IOException {
    Matcher line = LISTENS.matcher(Files.readString(log));
    if (!line.find()) {
      throw new IllegalStateException("opencode does not say where it is: see " + log);
    }
    return URI.create(line.group(1));
  }

  private void configure(Path home) throws IOException {
    Path folder = home.resolve(".config/opencode");
    // Where there is this folder and this lock it installs no package of its own.
    Files.createDirectories(folder.resolve("node_modules"));
    Files.writeString(
        folder.resolve("package-lock.json"),
        "{\"packages\": {\"\": {\"dependencies\": {\"@opencode-ai/plugin\": \"*\"}}}}");
    Files.writeString(folder.resolve("opencode.json"), CONFIGURATION.replace("MODEL", model.url()));
  }

  private Process start(Path program, Path home, Path project) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), "serve", "--hostname", "127.0.0.1", "--port", "0");
    builder.environment().keySet().retainAll(List.of("PATH"));
    builder.environment().putAll(environment(home.toString(), project.toString()));
    return builder
        .directory(project.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /// The server takes its folder from `PWD`.
  private static Map<String, String> environment(String home, String project) {
    return Map.of(
        "HOME", home,
        "PWD", project,
        "OPENCODE_DISABLE_AUTOUPDATE", "1",
        "OPENCODE_DISABLE_MODELS_FETCH", "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD", "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS", "1");
  }
}
