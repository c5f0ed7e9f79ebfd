package agentsessions.runner.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Json;
import agentsessions.runner.network.model.KeyProxy;
import agentsessions.runner.turn.KeyContainerAddress;
import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The container with the keys, and a runner without them.
class KeyContainerTest {
  private static final HttpClient RUNNER = HttpClient.newHttpClient();
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final String KEY = "sk-of-the-operator";

  @TempDir Path folder;
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private Loopback model;
  private KeyProxy keys;

  @BeforeEach
  void open() throws IOException {
    model = new Loopback(this::answer);
    keys = KeyContainer.open(0, environment());
  }

  @AfterEach
  void close() {
    keys.close();
    model.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/messages, 200",
    "POST, /v1/messages?beta=true, 200",
    "GET, /v1/models/one, 200",
    "GET, /v1/files, 403",
    "DELETE, /v1/models/one, 403",
    "POST, /v1/messages/batches, 403",
    "GET, /v1/models/../files, 404",
    "GET, /v1/models/%2e%2e/files, 400",
    "GET, //v1/models, 400",
  })
  void whatTheEntryAllowsGoesOnWithTheKey(String method, String path, int expected)
      throws Exception {
    HttpResponse<String> answer = ask(method, "/" + SECRET + "/claude" + path);
    assertEquals(expected, answer.statusCode(), answer.body());
    assertEquals(
        expected == 200 ? List.of(method + " /base" + path + " " + KEY) : List.of(), asked);
  }

  @ParameterizedTest
  @CsvSource({
    "/claude/v1/messages",
    "/0123456789abcdef0123456789abcdeF/claude/v1/messages",
    "/0123456789abcdef/claude/v1/messages",
    "/0123456789abcdef0123456789abcdef0/claude/v1/messages",
    "//claude/v1/messages",
    "/v1/messages",
    "/",
  })
  void nobodyIsLetInWithoutTheSecret(String path) throws Exception {
    HttpResponse<String> answer = ask("POST", path);
    assertTrue(answer.statusCode() == 404 || answer.statusCode() == 400, answer.body());
    assertEquals(List.of(), asked);
  }

  @ParameterizedTest
  @CsvSource({"gemini", "shell", "nobody", "claude"})
  void onlyAgentsWhoseKeysAreThereHaveAWay(String agent) throws Exception {
    assertEquals(
        agent.equals("claude") ? 200 : 404,
        ask("GET", "/" + SECRET + "/" + agent + "/v1/models").statusCode());
  }

  @Test
  void whatACallerSaysOfItselfIsReplaced() throws Exception {
    HttpRequest request =
        request("/" + SECRET + "/claude/v1/messages")
            .header("x-api-key", "kept-outside")
            .POST(BodyPublishers.ofString("{}"))
            .build();
    assertEquals(200, RUNNER.send(request, BodyHandlers.ofString()).statusCode());
    assertEquals(List.of("POST /base/v1/messages " + KEY), asked);
  }

  @Test
  void thereIsNoContainerWithoutAProperSecret() {
    Map<String, String> environment = environment();
    environment.put("TASK_SECRET", "short");
    assertThrows(IllegalArgumentException.class, () -> KeyContainer.open(0, environment));
  }

  @Test
  void turnOfARunnerWithoutKeysAsksItsModelByTheContainer() throws Exception {
    try (Bench bench = Bench.keyless(folder, "http://127.0.0.1:" + keys.port(), SECRET)) {
      JsonNode result =
          bench.run(
              """
              curl -sS -d '{"model": "claude-opus-4-5"}' $AGENT_MODEL_URL/v1/messages
              curl -s -o /dev/null -w ' %{http_code}' $AGENT_MODEL_URL/v1/files
              """);
      assertEquals("{} 403", result.path("reply").textValue(), result.toString());
      assertEquals(1, result.at("/usage/requests").intValue(), result.toString());
    }
    assertEquals(List.of("POST /base/v1/messages " + KEY), asked);
  }

  @Test
  void turnOfAFunctionAsksItsModelByTheKeysOfItsClaim() throws Exception {
    try (Bench bench =
        Bench.claimed(
            folder,
            Map.of(
                "ANTHROPIC_API_KEY",
                KEY,
                "ANTHROPIC_BASE_URL",
                String.valueOf(environment().get("ANTHROPIC_BASE_URL"))))) {
      JsonNode result =
          bench.run(
              "curl -sS -d '{\"model\": \"claude-opus-4-5\"}' $AGENT_MODEL_URL/v1/messages; env");
      assertTrue(result.path("reply").textValue().startsWith("{}"), result.toString());
      assertFalse(result.toString().contains(KEY), result.toString());
    }
    assertEquals(List.of("POST /base/v1/messages " + KEY), asked);
  }

  @Test
  void secretIsInNothingThatIsPrinted() throws Exception {
    AgentEntry.Model entry =
        Json.MAPPER.treeToValue(Bench.entry("claude").get("model"), AgentEntry.Model.class);
    KeyContainerAddress address =
        KeyContainerAddress.of(Map.of("KEYS_AT", "http://127.0.0.1:1", "TASK_SECRET", SECRET))
            .orElseThrow();
    assertEquals("http://127.0.0.1:1/" + SECRET + "/claude", address.model(entry, "claude").url());
    assertFalse(Optional.of(address).toString().contains(SECRET));
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("TASK_SECRET", SECRET);
    environment.put("AGENTS_FILE", "../../infra/agents.yaml");
    environment.put("MODEL_KEYS", "{\"ANTHROPIC_API_KEY\": \"%s\"}".formatted(KEY));
    environment.put("ANTHROPIC_BASE_URL", model.url() + "/base");
    return environment;
  }

  private HttpResponse<String> ask(String method, String path) throws Exception {
    HttpRequest request = request(path).method(method, BodyPublishers.noBody()).build();
    return RUNNER.send(request, BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + keys.port() + path));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.add(
          "%s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  String.join(",", exchange.getRequestHeaders().get("x-api-key"))));
      byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
