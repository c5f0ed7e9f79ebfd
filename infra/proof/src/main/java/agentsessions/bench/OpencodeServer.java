package agentsessions.bench;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The process of `opencode serve`, the baseline of the read figures: alone, with a home of its
/// own, a session of three messages, and a model that is never asked.
final class OpencodeServer implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  /// The line in which the server names the free port that it chose.
  private static final Pattern LISTENS = Pattern.compile("listening on (http://[0-9.:]+)\\s");

  private static final String CONFIGURATION =
      """
      {"model": "none/none", "provider": {"none": {"npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": "http://127.0.0.1:9/v1", "apiKey": "none"}, "models": {"none": {}}}}}
      """;

  private final Path log;
  private final Process process;
  private final URI url;
  private final JsonNode session;

  private OpencodeServer(Path program, Path folder) throws IOException {
    log = folder.resolve("opencode.log");
    process = start(program, folder);
    try {
      Await.await("opencode's start: see " + log, TIMEOUT, POLL_INTERVAL).until(this::listens);
      url = told();
      session = client().post("/session", Map.of()).expect(200).json();
      for (int i = 0; i < 3; i++) {
        client().post(path() + "/message", message(i)).expect(200);
      }
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
  }

  /// Empty where `scripts/bench` found no opencode.
  static Optional<OpencodeServer> start(Path data) throws IOException {
    Path program =
        Path.of(System.getProperty("agentsessions.tools", ""), "node_modules/.bin/opencode");
    return Files.isExecutable(program)
        ? Optional.of(new OpencodeServer(program.toAbsolutePath(), data.resolve("opencode")))
        : Optional.empty();
  }

  URI url() {
    return url;
  }

  String version() {
    return session.path("version").asText();
  }

  URI sessionUrl() {
    return url().resolve(path());
  }

  URI lastMessageUrl() {
    return url().resolve(path() + "/message?limit=1");
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
  }

  private String path() {
    return "/session/" + session.path("id").asText();
  }

  private static Map<String, ?> message(int number) {
    return Map.of(
        "noReply", true, "parts", List.of(Map.of("type", "text", "text", "echo " + number)));
  }

  private Client client() {
    return Client.at(url().toString(), null);
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

  private Process start(Path program, Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("opencode.json"), CONFIGURATION);
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), "serve", "--hostname", "127.0.0.1", "--port", "0");
    builder.environment().keySet().retainAll(List.of("PATH"));
    builder.environment().putAll(environment(folder.toString()));
    return builder
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /// The server takes its folder from `PWD`.
  private static Map<String, String> environment(String folder) {
    return Map.of(
        "HOME", folder,
        "PWD", folder,
        "OPENCODE_DISABLE_AUTOUPDATE", "1",
        "OPENCODE_DISABLE_MODELS_FETCH", "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD", "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS", "1");
  }
}
