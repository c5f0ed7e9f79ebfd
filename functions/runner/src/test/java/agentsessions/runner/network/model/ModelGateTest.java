package agentsessions.runner.network.model;

import static java.math.BigDecimal.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.Ceiling;
import agentsessions.rule.ModelPrice;
import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Dialect;
import agentsessions.runner.agent.FailureReason;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.ModelPause;
import agentsessions.runner.usage.TurnUsage;
import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The allow-list of an agent's model requests, and the responses for a refused request and for a
/// failing model.
class ModelGateTest {
  private static final HttpClient AGENT = HttpClient.newHttpClient();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private final ModelResponses responses =
      new ModelResponses(
          new TurnUsage(Mask.NONE, ModelBudget.of(List.of(), List.of(), 1000)), said::add);
  private volatile int status = 200;
  private Loopback model;
  private ModelProxy proxy;

  @BeforeEach
  void open() throws IOException {
    model = new Loopback(this::answer);
    proxy = proxy(1000);
  }

  @AfterEach
  void close() {
    proxy.close();
    model.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/messages, 200",
    "POST, /v1/messages?beta=true, 200",
    "GET, /v1/models, 200",
    "GET, /v1/models/one, 200",
    "GET, /v1/messages, 403",
    "DELETE, /v1/models/one, 403",
    "POST, /v1/messages/batches, 403",
    "GET, /v1/files, 403",
    "GET, /v1/models/../files, 404",
    "GET, /v1/models/%2e%2e/files, 400",
    "GET, /v1/models/..%2Ffiles, 400",
    "GET, /v1/%66iles, 404",
    "POST, /v1/messages;x=/v1/files, 404",
  })
  void onlyWhatTheEntryAllowsPasses(String method, String path, int expected) throws Exception {
    assertEquals(expected, ask(method, path).statusCode());
    assertEquals(expected == 200 ? List.of(method + " /base" + path) : List.of(), asked);
  }

  @Test
  void requestCannotBecomeAnotherByAHeader() throws Exception {
    HttpRequest request =
        request("POST", "/v1/messages").header("X-HTTP-Method-Override", "DELETE").build();
    assertEquals(200, AGENT.send(request, BodyHandlers.ofString()).statusCode());
    assertEquals(List.of("POST /base/v1/messages"), asked);
  }

  @Test
  void errorsOfTheProxyAreOneLineOfJson() throws Exception {
    assertIsOneLine(ask("GET", "/v1/files"), "The agent's entry does not allow GET /v1/files.");
    model.close();
    assertIsOneLine(ask("POST", "/v1/messages"), "The model could not be reached.");
    assertIsOneLine(ask("GET", "/" + "x".repeat(20_000)), "");
  }

  @Test
  void theModelIsNotAskedWhileAPersonDecides() throws Exception {
    ModelPause pause = responses.usage().budget().pause();
    pause.begin();
    HttpRequest call = request("POST", "/v1/messages").build();
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(AGENT.sendAsync(call, BodyHandlers.ofString()));
    }
    assertThrows(TimeoutException.class, () -> all.getFirst().get(1, TimeUnit.SECONDS));
    assertEquals(List.of(), asked);
    pause.end();
    for (CompletableFuture<HttpResponse<String>> each : all) {
      assertEquals(200, each.join().statusCode());
    }
    assertEquals(20, asked.size());
  }

  @Test
  void aTurnEndsWhileItsModelPauses() throws Exception {
    responses.usage().budget().pause().begin();
    HttpRequest call = request("POST", "/v1/messages").build();
    CompletableFuture<HttpResponse<String>> held = AGENT.sendAsync(call, BodyHandlers.ofString());
    assertThrows(TimeoutException.class, () -> held.get(1, TimeUnit.SECONDS));
    proxy.close();
    assertThrows(ExecutionException.class, held::get);
    assertEquals(List.of(), asked);
  }

  @Test
  void nobodyIsLetInWithoutTheSecret() throws Exception {
    URI other = URI.create("http://127.0.0.1:%d/v1/messages".formatted(proxy.port()));
    HttpRequest.Builder request = HttpRequest.newBuilder(other).POST(BodyPublishers.noBody());
    assertEquals(404, AGENT.send(request.build(), BodyHandlers.ofString()).statusCode());
    request.header(ModelProxy.SECRET, proxy.secret().orElseThrow());
    assertEquals(200, AGENT.send(request.build(), BodyHandlers.ofString()).statusCode());
    assertEquals(List.of("POST /base/v1/messages"), asked);
  }

  @Test
  void turnMayAskSoOftenAndNotMore() throws Exception {
    ModelBudget budget = ModelBudget.of(List.of(), List.of(), 2);
    bounded(budget);
    assertEquals(200, ask("POST", "/v1/messages").statusCode());
    assertEquals(200, ask("GET", "/v1/models").statusCode());
    assertEquals(200, ask("POST", "/v1/messages").statusCode());
    assertEquals(Optional.empty(), budget.refused());
    HttpResponse<String> refused = ask("POST", "/v1/messages");
    assertEquals(400, refused.statusCode());
    assertEquals(
        Optional.of("The turn's ceiling of 2 model requests is reached; used: 2."),
        budget.refused());
    assertTrue(refused.body().contains("\"type\":\"invalid_request_error\""), refused::body);
    assertEquals(3, asked.size());
  }

  @Test
  void ofManyCallsAtOnceNoMorePassThanMay() throws Exception {
    bounded(ModelBudget.of(List.of(ceiling(Ceiling.Unit.REQUESTS, 3)), List.of(), 1000));
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(AGENT.sendAsync(request("POST", "/v1/messages").build(), BodyHandlers.ofString()));
    }
    long refused = all.stream().filter(each -> each.join().statusCode() == 400).count();
    assertEquals(17, refused);
    assertEquals(3, asked.size());
  }

  @Test
  void aModelWithoutAPriceIsNotAskedWhileTheCostHasACeiling() throws Exception {
    ModelPrice price = new ModelPrice("opus-*", ONE, ONE, ONE, ONE, ONE);
    ModelBudget budget =
        ModelBudget.of(List.of(ceiling(Ceiling.Unit.MICRO_DOLLARS, 9)), List.of(price), 1000);
    bounded(budget);
    assertEquals(200, post("{\"stream\": true, \"model\": \"opus-4\"}").statusCode());
    HttpResponse<String> refused = post("{\"model\": \"other\", \"stream\": true}");
    assertEquals(400, refused.statusCode());
    assertEquals(
        Optional.of("The model other has no price, and what the turn may cost has a ceiling."),
        budget.refused());
    assertEquals(1, asked.size());
  }

  @Test
  void anAnswerThatIsCutCountsByWhatWasAskedAndSaid() throws Exception {
    ModelBudget budget = ModelBudget.of(List.of(ceiling(Ceiling.Unit.TOKENS, 25)), List.of(), 1000);
    bounded(budget);
    assertEquals(200, post("x".repeat(80)).statusCode());
    assertEquals(200, post("x".repeat(80)).statusCode());
    assertEquals(400, post("x".repeat(80)).statusCode());
    assertEquals(
        Optional.of("The turn's ceiling of 25 tokens is reached; used: 40."), budget.refused());
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 413})
  void refusalOfTheKeyOrTheRequestIsNotForSendingAgain(int refusal) throws Exception {
    status = refusal;
    ask("POST", "/v1/messages");
    FailureReason error = responses.explain(error());
    assertEquals(false, error.retryable());
    assertTrue(error.message().startsWith("The model refused the request with status " + refusal));
    assertTrue(error.message().endsWith(". The agent failed: x"), error::message);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 503, 529})
  void failureThatMayPassIs(int failure) throws Exception {
    status = failure;
    ask("POST", "/v1/messages");
    assertEquals(true, responses.explain(error()).retryable());
    status = 200;
    ask("POST", "/v1/messages");
    assertEquals(error(), responses.explain(error()));
  }

  @Test
  void failingModelIsSaidButNotEachTime() throws Exception {
    status = 500;
    for (int i = 0; i < 9; i++) {
      ask("POST", "/v1/messages");
    }
    assertEquals(
        List.of(
            "The model answered with status 500 (Server Error).",
            "The model answered with status 500 (Server Error), 2 times in a row.",
            "The model answered with status 500 (Server Error), 4 times in a row.",
            "The model answered with status 500 (Server Error), 8 times in a row."),
        said);
  }

  private static FailureReason error() {
    return FailureReason.of(TurnErrorCode.AGENT_FAILED, "The agent failed: x");
  }

  private static void assertIsOneLine(HttpResponse<String> answer, String message)
      throws IOException {
    assertEquals("application/json", answer.headers().firstValue("Content-Type").orElseThrow());
    assertEquals(1, answer.body().lines().count(), answer::body);
    String said = Json.MAPPER.readTree(answer.body()).at("/error/message").textValue();
    assertTrue(said.contains(message), answer::body);
  }

  private static Ceiling ceiling(Ceiling.Unit unit, long limit) {
    return new Ceiling(Ceiling.Scope.TURN, unit, limit, 0);
  }

  private void bounded(ModelBudget budget) throws IOException {
    proxy.close();
    ModelResponses bounded = new ModelResponses(new TurnUsage(Mask.NONE, budget), said::add);
    String url = model.url() + "/base";
    List<String> counted = List.of("POST /v1/messages");
    List<String> allow = List.of("POST /v1/messages", "GET /v1/models*");
    AgentEntry.Model entry =
        new AgentEntry.Model(url, Map.of(), allow, 1000, Dialect.ANTHROPIC, counted);
    proxy = ModelProxy.onLoopback(entry, bounded);
  }

  private HttpResponse<String> post(String body) throws Exception {
    HttpRequest request =
        request("POST", "/v1/messages").POST(BodyPublishers.ofString(body)).build();
    return AGENT.send(request, BodyHandlers.ofString());
  }

  private ModelProxy proxy(int requests) throws IOException {
    List<String> allow = List.of("POST /v1/messages", "GET /v1/models*");
    String url = model.url() + "/base";
    return ModelProxy.onLoopback(
        new AgentEntry.Model(url, Map.of("x-key", "k"), allow, requests, null, List.of()),
        responses);
  }

  private HttpResponse<String> ask(String method, String path) throws Exception {
    return AGENT.send(request(method, path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String method, String path) {
    String url =
        "http://127.0.0.1:%d/%s%s".formatted(proxy.port(), proxy.secret().orElseThrow(), path);
    return HttpRequest.newBuilder(URI.create(url))
        .method(
            method,
            method.equals("POST") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean changed = exchange.getRequestHeaders().containsKey("X-HTTP-Method-Override");
      asked.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + (changed ? " changed" : ""));
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(status, -1);
    }
  }
}
