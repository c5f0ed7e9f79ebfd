package agentsessions.contract.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Route;
import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Section 8: limits are stated in the answers, and hold to the byte.
@Section(number = "8", title = "Limits")
final class LimitsTest {
  private static final int MESSAGE_LIMIT = 256 * 1024;
  private static final int AT_ONCE = 8;

  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void aBodyOverOneMebibyteIsTooLarge() {
    String body = "{\"x\":\"" + "a".repeat(1024 * 1024) + "\"}";
    for (Route route : Route.withBody(body)) {
      route.send(client).refused(413, "TOO_LARGE");
    }
  }

  @Tag("stack")
  @Test
  void aMessageOf256KibibytesIsAcceptedAndComesBack() {
    String message = messageOf(MESSAGE_LIMIT);
    SessionHandle session = client.create(message);
    assertEquals("done", session.first().text().strip());
    assertEquals(message, session.messages("").at("/items/0/message").asText());
  }

  @Test
  void oneByteMoreIsTooLong() {
    client
        .post("/sessions", Map.of("agent_name", "shell", "message", messageOf(MESSAGE_LIMIT + 1)))
        .invalid("message");
    SessionHandle session = client.create("echo ok");
    client
        .post(session.path() + "/messages", Map.of("message", messageOf(MESSAGE_LIMIT + 1)))
        .invalid("message");
  }

  @Test
  void titleAndMetadataHaveTheirLimits() {
    create(Map.of("title", "😀".repeat(100))).expect(201);
    create(Map.of("title", "x".repeat(200))).expect(201);
    create(Map.of("title", "x".repeat(201))).invalid("title");
    create(Map.of("metadata", pairs(16))).expect(201);
    create(Map.of("metadata", pairs(17))).invalid("metadata");
    create(Map.of("metadata", Map.of("k".repeat(64), "v".repeat(512)))).expect(201);
    assertEquals(422, create(Map.of("metadata", Map.of("k".repeat(65), "v"))).status());
    assertEquals(422, create(Map.of("metadata", Map.of("k", "v".repeat(513)))).status());
    assertEquals(422, create(Map.of("metadata", Map.of("k", 1))).status());
  }

  @Tag("stack")
  @Test
  void everyAnswerHasARequestIdAndTheRatePolicy() {
    List<ApiResponse> answers =
        List.of(
            client.get("/agents"),
            client.get("/nowhere"),
            client.send("POST", "/sessions", "{"),
            client.get("/sessions/1-1-1-1-1"));
    for (ApiResponse answer : answers) {
      assertEquals("\"default\";q=100;w=60", answer.header("RateLimit-Policy"));
    }
    long ids = answers.stream().map(answer -> answer.header("X-Request-Id")).distinct().count();
    assertEquals(answers.size(), ids);
    client.with(null).get("/health").header("X-Request-Id");
    client.with(null).get("/agents").header("X-Request-Id");
  }

  @Test
  void aHundredRequestsPassAndThenTheKeyIsToldToWait() {
    assumeTrue(Target.makesKeys(), "needs a key that nobody else uses");
    for (int i = 0; i < 100; i++) {
      client.sendOnce("GET", "/sessions/" + Client.unknownId(), null).refused(404, "NOT_FOUND");
    }
    ApiResponse refusal = tooOften(() -> client.sendOnce("GET", "/agents", null));
    refusal.refused(429, "RATE_LIMITED");
    assertTrue(refusal.header("Retry-After").matches("[1-9]\\d?"), refusal::toString);
    Target.client().get("/agents").ok();
    SuiteTiming.pause(Duration.ofSeconds(Long.parseLong(refusal.header("Retry-After"))));
    client.sendOnce("GET", "/agents", null).ok();
  }

  @Test
  void aKeyThatAsksTooOftenIsRefusedEverywhere() {
    assumeTrue(Target.makesKeys(), "needs a key that nobody else uses");
    for (int i = 0; i < 100; i++) {
      client.sendOnce("GET", "/agents", null).ok();
    }
    for (Route route : Route.keyed()) {
      tooOften(() -> route.sendOnce(client)).refused(429, "RATE_LIMITED");
    }
  }

  /// The refusal of a key that has used its hundred requests: so many at once come faster than the
  /// allowance grows again, however slow this machine is.
  private static ApiResponse tooOften(Supplier<ApiResponse> request) {
    return SuiteTiming.until(
        "429",
        () -> answers(request).stream().filter(answer -> answer.status() == 429).findFirst());
  }

  private static List<ApiResponse> answers(Supplier<ApiResponse> request) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<ApiResponse>> all =
          Stream.generate(() -> CompletableFuture.supplyAsync(request, threads))
              .limit(AT_ONCE)
              .toList();
      return all.stream().map(CompletableFuture::join).toList();
    }
  }

  private ApiResponse create(Map<String, Object> more) {
    Map<String, Object> body = new HashMap<>(more);
    body.put("agent_name", "shell");
    body.put("message", "echo ok");
    return client.post("/sessions", body);
  }

  private static Map<String, String> pairs(int count) {
    Map<String, String> pairs = new HashMap<>();
    IntStream.range(0, count).forEach(i -> pairs.put("key" + i, "value"));
    return pairs;
  }

  /// A script of so many bytes of UTF-8, most of them in characters of four bytes.
  private static String messageOf(int bytes) {
    String script = "echo done #";
    int rest = bytes - script.length();
    return script + "x".repeat(rest % 4) + "😀".repeat(rest / 4);
  }
}
