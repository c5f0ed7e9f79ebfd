package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sections 7 and 8: errors have one shape whatever answers, and limits are told.
final class ErrorsAndLimitsTest {
  private static final int MESSAGE_LIMIT = 256 * 1024;

  private final Client client = Target.client();

  @ParameterizedTest
  @ValueSource(strings = {"{", "", "nonsense", "{\"agent_name\":", "{} x", "\u0000"})
  void aBodyThatIsNotJsonIsABadRequest(String body) {
    client.send("POST", "/sessions", body).refused(400, "BAD_REQUEST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/nowhere", "/sessions/x/y/z", "/", "/sessions//messages", "/%2e%2e/admin"})
  void aRouteThatDoesNotExistIsNotFound(String path) {
    client.get(path).refused(404, "NOT_FOUND");
  }

  @ParameterizedTest
  @CsvSource({"PUT, /sessions", "DELETE, /agents", "POST, /agents", "PATCH, /health"})
  void aMethodThatARouteDoesNotHaveIsNotAllowed(String method, String path) {
    Answer answer = client.send(method, path, method.equals("DELETE") ? null : "{}");
    answer.refused(405, "METHOD_NOT_ALLOWED");
    assertTrue(answer.header("Allow").contains("GET"), answer::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/xml", "text/plain", "application/x-www-form-urlencoded"})
  void aBodyOfAnotherMediaTypeIsRefused(String type) {
    client
        .send("POST", "/sessions", hello(), "Content-Type", type)
        .refused(415, "UNSUPPORTED_MEDIA_TYPE");
  }

  @Test
  void jsonWithACharsetIsJson() {
    client
        .send("POST", "/sessions", hello(), "Content-Type", "application/json; charset=utf-8")
        .expect(201);
  }

  @Test
  void aBodyOverOneMebibyteIsTooLarge() {
    String body = "{\"x\":\"" + "a".repeat(1024 * 1024) + "\"}";
    client.send("POST", "/sessions", body).refused(413, "TOO_LARGE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"message\":\"echo\"} | agent_name",
        "{\"agent_name\":\"shell\"} | message",
        "{\"agent_name\":\"shell\",\"message\":\"\"} | message",
        "{\"agent_name\":\"shell\",\"message\":\" \\n\\t\"} | message",
        "{\"agent_name\":\"shell\",\"message\":5} | message",
        "{\"agent_name\":\"shell\",\"message\":[\"echo\"]} | message",
        "{\"agent_name\":\"shell\",\"message\":{}} | message",
        "{\"agent_name\":true,\"message\":\"echo\"} | agent_name",
        "{\"agent_name\":\"shell\",\"message\":\"a\\ud800b\"} | message",
        "{\"agent_name\":\"nobody\",\"message\":\"echo\"} | agent_name",
        "{\"agent_name\":\"shell\",\"message\":\"echo\",\"title\":1} | title",
        "{\"agent_name\":\"shell\",\"message\":\"echo\",\"metadata\":[]} | metadata"
      })
  void aFieldThatIsMissingBlankOrOfTheWrongTypeIsNamed(String body, String field) {
    client.send("POST", "/sessions", body).invalid(field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "5", "\"x\"", "null"})
  void aBodyThatIsNoObjectIsRefused(String body) {
    int status = client.send("POST", "/sessions", body).status();
    assertTrue(status == 400 || status == 422, "" + status);
  }

  @Test
  void anUnknownAgentIsAnsweredByTheNamesThereAre() {
    JsonNode details =
        client.post("/sessions", Map.of("agent_name", "x", "message", "y")).invalid("agent_name");
    assertTrue(details.toString().contains("shell"), details::toString);
  }

  @Test
  void everyFieldThatIsWrongIsNamedAtOnce() {
    Answer answer = client.send("POST", "/sessions", "{}");
    answer.invalid("agent_name");
    answer.invalid("message");
  }

  @Test
  void aFollowUpIsHeldToTheSameRules() {
    Session session = client.create("echo ok");
    String path = session.path() + "/messages";
    client.send("POST", path, "{}").invalid("message");
    client.post(path, Map.of("message", " ")).invalid("message");
    client.send("POST", path, "{").refused(400, "BAD_REQUEST");
    client.post(path, Map.of("message", messageOf(MESSAGE_LIMIT + 1))).invalid("message");
  }

  @Test
  void aMessageOf256KibibytesIsAcceptedAndComesBack() {
    String message = messageOf(MESSAGE_LIMIT);
    Session session = client.create(message);
    assertEquals("done", session.first().text().strip());
    assertEquals(message, session.messages("").at("/items/0/message").asText());
  }

  @Test
  void oneByteMoreIsTooLong() {
    client
        .post("/sessions", Map.of("agent_name", "shell", "message", messageOf(MESSAGE_LIMIT + 1)))
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

  @Test
  void whatIsStrangeIsRefusedAndNeverAnErrorOfTheService() {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);
    for (String body :
        List.of(
            deep,
            "{\"agent_name\":\"shell\",\"message\":" + deep + "}",
            "{\"agent_name\":\"shell\",\"message\":\"a\\u0000b\"}",
            "{\"message\":\"a\",\"message\":\"b\",\"agent_name\":\"shell\"}",
            "{\"agent_name\":\"shell\",\"message\":1e999999}")) {
      assertTrue(client.send("POST", "/sessions", body).status() < 500, body.substring(0, 20));
    }
  }

  @Test
  void everyAnswerHasARequestIdAndTheRatePolicy() {
    List<Answer> answers =
        List.of(
            client.get("/agents"),
            client.get("/nowhere"),
            client.send("POST", "/sessions", "{"),
            client.get("/sessions/1-1-1-1-1"));
    for (Answer answer : answers) {
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
    List<Answer> answers =
        IntStream.range(0, 130)
            .mapToObj(i -> client.sendOnce("GET", "/sessions/" + Client.unknownId(), null))
            .toList();
    assertTrue(answers.stream().limit(100).allMatch(answer -> answer.status() == 404));
    Answer refusal =
        answers.stream().filter(answer -> answer.status() == 429).findFirst().orElseThrow();
    refusal.refused(429, "RATE_LIMITED");
    assertTrue(refusal.header("Retry-After").matches("[1-9]\\d?"), refusal::toString);
    Target.client().get("/agents").ok();
    Await.pause(Duration.ofSeconds(Long.parseLong(refusal.header("Retry-After"))));
    client.sendOnce("GET", "/agents", null).ok();
  }

  private Answer create(Map<String, Object> more) {
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

  private static String hello() {
    return "{\"agent_name\":\"shell\",\"message\":\"echo hello\"}";
  }

  /// A script of so many bytes of UTF-8, most of them in characters of four bytes.
  private static String messageOf(int bytes) {
    String script = "echo done #";
    int rest = bytes - script.length();
    return script + "x".repeat(rest % 4) + "😀".repeat(rest / 4);
  }
}
