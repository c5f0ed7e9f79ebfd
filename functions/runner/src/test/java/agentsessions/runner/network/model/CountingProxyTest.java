package agentsessions.runner.network.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.UsedTokens;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Dialect;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.TurnUsage;
import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls of a model are counted on their way, and an agent does not notice.
class CountingProxyTest {
  private static final HttpClient AGENT = HttpClient.newHttpClient();
  private static final String CHOICE =
      "data: {\"choices\":[{\"index\":0,\"finish_reason\":\"stop\"}]}\n\n";
  private static final String USAGE =
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\n";
  private static final String DONE = "data: [DONE]\n\n";
  private static final String REQUEST = "{\"model\":\"mini\",\"stream\":true}";
  private static final String ASKING =
      "{\"model\":\"mini\",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";
  private static final UsedTokens TOKENS = new UsedTokens(9, 4, 0, 0, 0);
  private static final Map<String, UsedTokens> USED = Map.of("mini", TOKENS);

  private final List<String> asked = new ArrayList<>();
  private final CountDownLatch more = new CountDownLatch(1);
  private final ModelResponses responses =
      new ModelResponses(
          new TurnUsage(Mask.NONE, ModelBudget.of(List.of(), List.of(), 1000)), sentence -> {});
  private volatile Answering answering = this::stream;
  private Loopback model;
  private ModelProxy proxy;

  private interface Answering {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void open() throws IOException {
    model = new Loopback(this::answer);
    String url = model.url();
    proxy =
        ModelProxy.onLoopback(
            new AgentEntry.Model(
                url,
                Map.of(),
                List.of("POST /*", "GET /*"),
                1000,
                Dialect.CHAT,
                List.of("POST /chat/completions")),
            responses);
  }

  @AfterEach
  void close() {
    more.countDown();
    proxy.close();
    model.close();
  }

  @Test
  void usageIsAskedForAndCountedAndNotSeen() throws Exception {
    more.countDown();
    assertEquals(CHOICE + DONE, ask("/chat/completions", REQUEST).body());
    assertEquals(List.of("identity " + ASKING), asked);
    assertEquals(
        new TurnUsage.Sum(Map.of("mini", 1L), USED, TOKENS, true), responses.usage().sum());
  }

  @Test
  void usageThatTheAgentAskedForIsSeen() throws Exception {
    more.countDown();
    assertEquals(CHOICE + USAGE + DONE, ask("/chat/completions", ASKING).body());
    assertEquals(List.of("identity " + ASKING), asked);
    assertEquals(USED, responses.usage().sum().models());
  }

  @Test
  void eventComesBeforeTheNextIsSent() throws Exception {
    for (String request : new String[] {REQUEST, ASKING}) {
      HttpResponse<InputStream> answer =
          AGENT.send(request("/chat/completions", request), BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        byte[] first = body.readNBytes(CHOICE.length());
        assertEquals(CHOICE, new String(first, StandardCharsets.UTF_8));
      }
    }
  }

  @Test
  void answerThatTheAgentCutsIsIncomplete() throws Exception {
    HttpResponse<InputStream> answer =
        AGENT.send(request("/chat/completions", REQUEST), BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      body.readNBytes(1);
    }
    TurnUsage.Sum sum = responses.usage().sum();
    assertEquals(1, sum.requests());
    assertFalse(sum.complete());
    assertEquals(Map.of("mini", UsedTokens.NONE), sum.models());
    assertTrue(sum.estimate().input() > 0);
  }

  @Test
  void answerThatTheModelCutsIsIncompleteAndCutForTheAgent() {
    answering =
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write(CHOICE.getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
        };
    assertThrows(IOException.class, () -> ask("/chat/completions", REQUEST));
    assertFalse(responses.usage().sum().complete());
  }

  @Test
  void compressedAnswerIsCountedAndPassesAsItIs() throws Exception {
    byte[] compressed = compressed(CHOICE + USAGE + DONE);
    answering =
        exchange -> {
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(200, compressed.length);
          exchange.getResponseBody().write(compressed);
        };
    HttpResponse<byte[]> answer =
        AGENT.send(request("/chat/completions", REQUEST), BodyHandlers.ofByteArray());
    assertEquals(compressed.length, answer.body().length);
    assertEquals(
        new TurnUsage.Sum(Map.of("mini", 1L), USED, TOKENS, true), responses.usage().sum());
  }

  @Test
  void bodyInOnePieceIsCountedAndTheSame() throws Exception {
    String body = "{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}";
    answering =
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
        };
    HttpResponse<String> answer = ask("/chat/completions", "{\"model\":\"mini\"}");
    assertEquals(body, answer.body());
    assertEquals("" + body.length(), answer.headers().firstValue("content-length").orElseThrow());
    assertEquals(
        new TurnUsage.Sum(Map.of("mini", 1L), USED, TOKENS, true), responses.usage().sum());
  }

  @Test
  void otherRequestsAreFree() throws Exception {
    more.countDown();
    assertEquals(CHOICE + USAGE + DONE, ask("/other", REQUEST).body());
    assertEquals(0, responses.usage().sum().requests());
    assertEquals(List.of("none " + REQUEST), asked);
  }

  @Test
  void modelThatCannotBeReachedHasNotBeenAsked() throws Exception {
    model.close();
    assertEquals(502, ask("/chat/completions", REQUEST).statusCode());
    assertEquals(0, responses.usage().sum().requests());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/chat/completions", "/other"})
  void requestThatCannotBeSentIsRefusedAtOnce(String path) throws IOException {
    String line = "POST /%s%s?a=|{ HTTP/1.1".formatted(proxy.secret().orElseThrow(), path);
    String request = line + "\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
    try (Socket agent = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      agent.setSoTimeout(20_000);
      agent.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = agent.getInputStream().readAllBytes();
      assertTrue(new String(answer, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 400"));
    }
    assertEquals(0, responses.usage().sum().requests());
  }

  private HttpResponse<String> ask(String path, String body) throws Exception {
    return AGENT.send(request(path, body), BodyHandlers.ofString());
  }

  private HttpRequest request(String path, String body) {
    String url =
        "http://127.0.0.1:%d/%s%s".formatted(proxy.port(), proxy.secret().orElseThrow(), path);
    return HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body)).build();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String coding = exchange.getRequestHeaders().getFirst("Accept-Encoding");
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add((coding == null ? "none" : coding) + " " + body);
      answering.to(exchange);
    }
  }

  private void stream(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(CHOICE.getBytes(StandardCharsets.UTF_8));
      out.flush();
      more.await();
      out.write((USAGE + DONE).getBytes(StandardCharsets.UTF_8));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] compressed(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
