package agentsessions.authorizer.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What becomes of a call that is refused, throttled or not answered, and where credentials come
/// from.
final class DynamoDbCallsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final List<String> authorizations = new ArrayList<>();
  private final Deque<String> answers = new ArrayDeque<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "500, InternalServerError",
    "503, ServiceUnavailable",
    "429, x",
    "400, com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
    "400, com.amazon.coral.availability#ThrottlingException"
  })
  void aFaultThatPassesIsWaitedFor(int status, String type) {
    answers.add(status + "{\"__type\":\"" + type + "\"}");
    answers.add("200{\"a\":1}");
    assertEquals(Map.of("a", "1"), calls().call("GetItem", "{}", TIMEOUT));
  }

  @Test
  void theThirdFaultIsTheLast() {
    answers.addAll(List.of("500{}", "502<html>", "500{}", "200{}"));
    assertThrows(DynamoDbFault.class, () -> calls().call("GetItem", "{}", TIMEOUT));
    assertEquals(3, authorizations.size());
  }

  @Test
  void aRefusalIsNotRepeated() {
    answers.add("400{\"__type\":\"a#AccessDeniedException\",\"message\":\"not you\"}");
    DynamoDbFault fault =
        assertThrows(DynamoDbFault.class, () -> calls().call("GetItem", "{}", TIMEOUT));
    assertEquals("GetItem: 400 AccessDeniedException not you", fault.getMessage());
    assertEquals(1, authorizations.size());
  }

  @Test
  void whoDoesNotAnswerIsNotWaitedForLong() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      DynamoDbCalls calls = DynamoDbCalls.of(environment(mute.getLocalPort()));
      long start = System.nanoTime();
      assertThrows(
          DynamoDbFault.class, () -> calls.call("UpdateItem", "{}", Duration.ofMillis(300)));
      assertTrue(System.nanoTime() - start < Duration.ofSeconds(60).toNanos());
    }
  }

  /// As under SnapStart.
  @Test
  void credentialsComeFromTheContainerWhereTheEnvironmentHasNone() {
    answers.add("200" + credentials("ONE", Instant.now().plusSeconds(3600)));
    answers.addAll(List.of("200{}", "200{}"));
    DynamoDbCalls calls = DynamoDbCalls.of(container());
    calls.call("GetItem", "{}", TIMEOUT);
    calls.call("GetItem", "{}", TIMEOUT);
    assertEquals("pass", authorizations.getFirst());
    assertTrue(authorizations.get(1).contains("Credential=ONE/"));
    assertTrue(authorizations.get(2).contains("Credential=ONE/"), "kept");
  }

  @Test
  void credentialsThatEndSoonAreAskedForAgainAndServeUntilThen() throws IOException {
    Instant end = Instant.parse("2026-11-25T12:00:00Z");
    answers.add("200" + credentials("ONE", end));
    answers.add("500{}");
    answers.add("200" + credentials("TWO", end.plusSeconds(3600)));
    CredentialSource source = new CredentialSource(container(), at(end.minusSeconds(60)));
    assertEquals("ONE", source.current(1000).accessKeyId());
    assertEquals("ONE", source.current(1000).accessKeyId());
    assertEquals("TWO", source.current(1000).accessKeyId());
    assertEquals("TWO", source.current(1000).accessKeyId());
    assertEquals(3, authorizations.size());
  }

  private static Clock at(Instant time) {
    return Clock.fixed(time, ZoneOffset.UTC);
  }

  private static String credentials(String id, Instant end) {
    return """
    {"AccessKeyId":"%s","SecretAccessKey":"s","Token":"t","Expiration":"%s"}\
    """
        .formatted(id, end);
  }

  private DynamoDbCalls calls() {
    return DynamoDbCalls.of(environment(server.getAddress().getPort()));
  }

  private static Map<String, String> environment(int port) {
    return Map.of(
        "AWS_REGION", "us-east-1",
        "AWS_ENDPOINT_URL", "http://127.0.0.1:" + port,
        "AWS_ACCESS_KEY_ID", "id",
        "AWS_SECRET_ACCESS_KEY", "secret");
  }

  private Map<String, String> container() {
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    return Map.of(
        "AWS_REGION",
        "us-east-1",
        "AWS_ENDPOINT_URL",
        address,
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        address + "/credentials",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN",
        "pass");
  }

  /// Answers what is next: a status of three digits, and a body.
  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
    String next = answers.remove();
    byte[] body = next.substring(3).getBytes(UTF_8);
    exchange.sendResponseHeaders(Integer.parseInt(next.substring(0, 3)), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
