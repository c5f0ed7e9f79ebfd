package agentsessions.bench;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The processes of OpenHands' agent server, with which speed is compared: alone, with a home of
/// its own, a conversation of one turn, and a model that answers at once.
final class OpenhandsServer implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

  /// Of the line in which the server names the free port that it chose.
  private static final Pattern LISTENS =
      Pattern.compile("running on (http://127\\.0\\.0\\.1:\\d+) ");

  private final ShellModel model = new ShellModel("terminal", Map.of());
  private final HttpClient sockets = HttpClient.newHttpClient();
  private final Path home;
  private final Path log;
  private final Process process;
  private final URI url;
  private final Client client;
  private final Duration started;
  private final String conversation;

  private OpenhandsServer(Path program, Path home) throws IOException {
    Files.createDirectories(home.resolve("project"));
    this.home = home.toRealPath();
    log = this.home.resolve("openhands.log");
    long began = System.nanoTime();
    process = launch(program);
    try {
      Await.await("OpenHands' start: see " + log, TIMEOUT, POLL_INTERVAL)
          .until(() -> told().isPresent());
      url = told().orElseThrow();
      client = Client.at(url + "/api", null);
      client.get("/conversations/search?limit=20").expect(200);
      started = Duration.ofNanos(System.nanoTime() - began);
      conversation = create("echo done");
      end(conversation);
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
  }

  /// Empty where `scripts/bench` could not install it.
  static Optional<OpenhandsServer> start(Path home) throws IOException {
    Path program = Path.of(System.getProperty("agentsessions.openhands", ""), "bin/agent-server");
    return Files.isExecutable(program)
        ? Optional.of(new OpenhandsServer(program.toAbsolutePath(), home))
        : Optional.empty();
  }

  String version() {
    return client.get(url + "/server_info").expect(200).text("/version");
  }

  /// From its start to the first page of its conversations.
  Duration started() {
    return started;
  }

  URI conversationUrl() {
    return api(conversation);
  }

  URI responseUrl() {
    return api(conversation + "/agent_final_response");
  }

  /// The address of a page of the last three events.
  URI lastEventsUrl() {
    String path = conversation + "/events/search?limit=3&sort_order=TIMESTAMP_DESC";
    int events = client.get(path).expect(200).json().path("items").size();
    if (events != 3) {
      throw new AssertionError("OpenHands lists " + events + " events");
    }
    return api(path);
  }

  /// Its own and those of its terminals, which are not below it where they have a tmux: all that
  /// work in its home.
  List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(this::isHere).toList();
  }

  /// Begins a conversation by a message, and does not wait for its turn; its path.
  String create(String text) {
    Map<String, ?> llm =
        Map.of(
            "usage_id", "agent",
            "model", "openai/shell",
            "base_url", model.url(),
            "api_key", "none");
    Map<String, ?> start =
        Map.of(
            "agent", Map.of("llm", llm, "tools", List.of(Map.of("name", "terminal"))),
            "workspace", Map.of("working_dir", home.resolve("project").toString()),
            "initial_message", message(text));
    return "/conversations/" + client.post("/conversations", start).expect(201).text("/id");
  }

  /// A conversation of one turn, from its creation to its end.
  void turn() {
    end(create("echo done"));
  }

  /// Waits for the end of a conversation's turn, of which the server tells.
  void end(String path) {
    CompletableFuture<String> ended = new CompletableFuture<>();
    WebSocket socket =
        sockets.newWebSocketBuilder().buildAsync(events(path), new TurnEnd(ended)).join();
    String status = ended.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    if (!status.equals("finished")) {
      throw new AssertionError("OpenHands ended a turn as " + status + ": see " + log);
    }
  }

  /// When its model was first asked about a message, which is waited for; `System.nanoTime`.
  long asked(String text) {
    return model.asked(text);
  }

  @Override
  public void close() {
    process.destroy(); // it ends its terminals
    try {
      boolean _ = process.waitFor(20, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    processes().forEach(ProcessHandle::destroyForcibly);
    sockets.shutdownNow();
    model.close();
  }

  /// What the server tells of a conversation from now on, first how it is now.
  private static final class TurnEnd implements WebSocket.Listener {
    private final CompletableFuture<String> ended;
    private final StringBuilder text = new StringBuilder();

    TurnEnd(CompletableFuture<String> ended) {
      this.ended = ended;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        String status = status(text.toString());
        if (List.of("finished", "error", "stuck").contains(status)) {
          ended.complete(status);
        }
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable failed) {
      ended.completeExceptionally(failed);
    }

    /// Empty if the event is about something else.
    private static String status(String text) {
      JsonNode event = json(text);
      return event.path("key").asText().equals("execution_status")
          ? event.path("value").asText()
          : event.at("/value/execution_status").asText();
    }

    private static JsonNode json(String text) {
      try {
        return Client.JSON.readTree(text);
      } catch (JsonProcessingException broken) {
        throw new AssertionError(text, broken);
      }
    }
  }

  private URI api(String path) {
    return URI.create(client.base() + path);
  }

  private URI events(String conversation) {
    return URI.create(
        "ws://%s%s"
            .formatted(
                url.getAuthority(), conversation.replace("/conversations", "/sockets/events")));
  }

  private static Map<String, ?> message(String text) {
    return Map.of(
        "role", "user", "content", List.of(Map.of("type", "text", "text", text)), "run", true);
  }

  private boolean isHere(ProcessHandle other) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + other.pid() + "/cwd")).startsWith(home);
    } catch (IOException ended) {
      return false;
    }
  }

  private Optional<URI> told() throws IOException {
    Matcher line = LISTENS.matcher(Files.readString(log));
    return line.find() ? Optional.of(URI.create(line.group(1))) : Optional.empty();
  }

  private Process launch(Path program) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), "--host", "127.0.0.1", "--port", "0");
    builder.environment().keySet().retainAll(List.of("PATH"));
    builder.environment().putAll(environment(home.toString()));
    return builder
        .directory(home.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /// It logs as in its image; its usual log breaks lines.
  private static Map<String, String> environment(String home) {
    return Map.of(
        "HOME", home,
        "TMPDIR", home,
        "LOG_JSON", "true",
        "DO_NOT_TRACK", "1",
        "OH_ENABLE_VSCODE", "false",
        "LITELLM_LOCAL_MODEL_COST_MAP", "True"); // which it would fetch
  }
}
