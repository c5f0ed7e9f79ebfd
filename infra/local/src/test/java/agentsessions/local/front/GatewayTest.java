package agentsessions.local.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Request;
import agentsessions.local.front.HttpMessage.Sender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bucket4j.TimeMeter;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the gateway: proxy events and responses, the authorizer's cache, and the usage plan.
class GatewayTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OK = "{\"statusCode\":200,\"body\":\"\"}";

  private final List<JsonNode> events = new ArrayList<>();
  private final List<JsonNode> asked = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private String answer = OK;
  private String revoked = "";
  private Runnable duringAuthorization = () -> {};
  private final Gateway gateway =
      new Gateway(
          (in, out, context) -> function(in, out),
          (in, out, context) -> authorize(in, out),
          clock());

  @ParameterizedTest
  @CsvSource({
    "GET, /console, true",
    "GET, /console/, true",
    "HEAD, /console/0123456789abcdef/app.js, true",
    "POST, /console/, false",
    "GET, /consolex, false",
    "GET, /console/../rest/v1/me, false",
    "GET, /console/%2e%2e/rest/v1/me, false"
  })
  void theConsolesFilesNeedNoKey(String method, String path, boolean isOpen) {
    assertEquals(
        isOpen ? 200 : 404, gateway.answer(request(method, path, "", new byte[0])).status());
  }

  @Test
  void anEventHasEverythingOnceAndInAllItsValues() throws Exception {
    JsonNode event =
        event(
            "POST",
            "/rest/v1/a%2Fb",
            "x=1&x=%C3%A4+b&y&=z",
            "{}".getBytes(UTF_8),
            new Header("X-A", "1"),
            new Header("X-A", "2"));
    assertEquals("/rest/v1/a%2Fb", event.path("path").asText());
    assertEquals("rest/v1/a%2Fb", event.path("pathParameters").path("proxy").asText());
    assertEquals("/{proxy+}", event.path("resource").asText());
    assertEquals("ä b", event.path("queryStringParameters").path("x").asText());
    assertEquals(
        JSON.readTree("{\"x\":[\"1\",\"ä b\"],\"y\":[\"\"],\"\":[\"z\"]}"),
        event.path("multiValueQueryStringParameters"));
    assertEquals("2", event.path("headers").path("X-A").asText());
    assertEquals(JSON.readTree("[\"1\",\"2\"]"), event.path("multiValueHeaders").path("X-A"));
    assertEquals("{}", event.path("body").asText());
    assertTrue(event.path("stageVariables").isNull());
    JsonNode context = event.path("requestContext");
    assertEquals("/local/rest/v1/a%2Fb", context.path("path").asText());
    assertEquals("127.0.0.1", context.path("identity").path("sourceIp").asText());
    assertEquals("w", context.path("authorizer").path("workspace").asText());
    assertEquals("id", context.path("authorizer").path("principalId").asText());
  }

  @Test
  void aNearlyFullDiskRefusesNewTurnsAndNothingElse() {
    Gateway full =
        new Gateway(
            (in, out, context) -> function(in, out),
            (in, out, context) -> authorize(in, out),
            () -> true);
    String session = "/rest/v1/sessions/1";
    assertEquals(503, status(full, "POST", "/rest/v1/sessions"));
    assertEquals(503, status(full, "POST", session + "/messages"));
    assertEquals(503, status(full, "GET", "/rest/v1/health"));
    assertEquals(200, status(full, "POST", session + "/interrupt"));
    assertEquals(200, status(full, "DELETE", session));
    assertEquals(200, status(full, "GET", "/rest/v1/sessions"));
  }

  private static int status(Gateway gateway, String method, String path) {
    return gateway.answer(request(method, path, "", new byte[0], key("good"))).status();
  }

  @Test
  void aFunctionGetsOnlyPathsThatAreUris() {
    assertEquals(
        "/rest/v1/a%7C%C3%A4%5B%22%25",
        event("GET", "/rest/v1/a|ä[\"%25", "", new byte[0]).path("path").asText());
  }

  @Test
  void hostIsTheGatewaysOwn() {
    JsonNode event = event("GET", "/rest/v1/x", "", new byte[0], new Header("hOST", "evil"));
    assertFalse(event.path("multiValueHeaders").has("hOST"));
    assertEquals(
        event.path("requestContext").path("domainName"), event.path("headers").path("Host"));
    assertTrue(event.path("body").isNull());
    assertTrue(event.path("queryStringParameters").isNull());
  }

  @Test
  void aBodyThatIsNoTextIsBase64() throws Exception {
    byte[] body = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
    JsonNode event = event("POST", "/rest/v1/x", "", body);
    assertTrue(event.path("isBase64Encoded").asBoolean());
    assertArrayEquals(body, event.path("body").binaryValue());
  }

  @Test
  void anAnswerComesBackWithAllItsHeadersButTheConnections() {
    answer =
        """
        {"statusCode": 201, "isBase64Encoded": true, "body": "/wA=", "headers": {"b": "0", "Location": "/x"},
         "multiValueHeaders": {"B": ["1", "2"], "Content-Length": ["99"], "X-Request-Id": ["own"]}}\
        """;
    Answer given = gateway.answer(request("GET", "/rest/v1/x", "", new byte[0], key("good")));
    assertEquals(201, given.status());
    assertArrayEquals(new byte[] {(byte) 0xFF, 0}, given.body());
    assertEquals(List.of("1", "2"), given.values("b"));
    assertEquals(List.of("/x"), given.values("location"));
    assertEquals(List.of("own"), given.values("X-Request-Id"));
    assertEquals(List.of(UsagePlan.POLICY), given.values("RateLimit-Policy"));
    assertFalse(given.has("Content-Length"));
  }

  @Test
  void theAuthorizerIsAskedOncePerKeyUntilItsAnswerIsOld() {
    gateway.answer(request("GET", "/rest/v1/x", "", new byte[0], key("good")));
    gateway.answer(request("GET", "/rest/v1/y", "", new byte[0], key("good")));
    gateway.answer(request("GET", "/rest/v1/y", "", new byte[0], key("other")));
    assertEquals(2, asked.size());
    assertEquals(3, events.size());
    assertTrue(asked.getFirst().path("methodArn").asText().endsWith(":local/local/GET/rest/v1/x"));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(45) - 1);
    assertEquals(200, status("/rest/v1/x", key("good")));
    assertEquals(2, asked.size());
    nanos.incrementAndGet();
    assertEquals(200, status("/rest/v1/x", key("good")));
    assertEquals(3, asked.size());
  }

  /// A revocation of this service, of scripts/keys, and by a new sign-in.
  @Test
  void aRevokedKeyIsRefusedByTheNextRequest(@TempDir Path data) {
    SignIn signIn =
        new SignIn(
            "code",
            _ -> false,
            () -> Optional.of(new SignIn.Made("key", Instant.EPOCH)),
            Clock.systemUTC());
    Gateway service =
        new Gateway(
            (in, out, context) -> function(in, out),
            (in, out, context) -> authorize(in, out),
            Gateway.KEY_CACHE,
            KeyRevocations.of(data),
            () -> false,
            signIn);
    byte[] code = "{\"code\":\"code\"}".getBytes(UTF_8);
    List<Runnable> revocations =
        List.of(
            () -> assertEquals(200, status(service, "DELETE", "/rest/v1/k%65ys/1")),
            () -> KeyRevocations.tell(data),
            () ->
                assertEquals(200, service.answer(request("POST", SignIn.PATH, "", code)).status()));
    for (Runnable revoke : revocations) {
      revoked = "";
      assertEquals(200, status(service, "GET", "/rest/v1/x"));
      int before = asked.size();
      assertEquals(200, status(service, "GET", "/rest/v1/x"));
      assertEquals(before, asked.size());
      revoke.run();
      revoked = "good";
      assertEquals(401, status(service, "GET", "/rest/v1/x"));
    }
  }

  /// Who is slow to send a body gains nothing by it.
  @Test
  void aKeyThatIsRevokedWhileABodyComesIsRefused() {
    assertEquals(200, status("/rest/v1/x", key("other")));
    InputStream slow =
        new ByteArrayInputStream("{}".getBytes(UTF_8)) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            if (revoked.isEmpty()) {
              assertEquals(200, status(gateway, "DELETE", "/rest/v1/keys/1"));
              revoked = "other";
            }
            return super.read(bytes, offset, length);
          }
        };
    int before = events.size();
    Request request = request("POST", "/rest/v1/keys", "", slow, key("other"));
    assertEquals(401, gateway.answer(request).status());
    assertEquals(before + 1, events.size(), "the revocation");
  }

  /// The authorizer has read the key before it was revoked, and answers after.
  @Test
  void anAnswerThatARevocationOvertookIsNotKept() {
    duringAuthorization = () -> assertEquals(200, status(gateway, "DELETE", "/rest/v1/keys/1"));
    gateway.answer(request("GET", "/rest/v1/x", "", new byte[0], key("other")));
    revoked = "other";
    assertEquals(401, status("/rest/v1/x", key("other")));
  }

  @Test
  void withoutAKeyNobodyIsAsked() throws Exception {
    Answer refused = gateway.answer(request("GET", "/rest/v1/x", "", new byte[0]));
    assertEquals(401, refused.status());
    assertEquals(List.of("ApiKey"), refused.values("WWW-Authenticate"));
    JsonNode body = JSON.readTree(refused.body());
    assertEquals("UNAUTHORIZED", body.path("code").asText());
    assertEquals(refused.values("X-Request-Id"), List.of(body.path("request_id").asText()));
    assertTrue(asked.isEmpty());
  }

  @Test
  void anUnknownKeyIs401() {
    assertEquals(401, status("/rest/v1/x", key("bad")));
    assertEquals(401, status("/rest/v1/x", key("good"), key("good")));
    assertTrue(events.isEmpty());
  }

  @Test
  void anAuthorizerThatFailsIsToBeAskedAgainSoon() throws Exception {
    Answer failed = gateway.answer(request("GET", "/rest/v1/x", "", new byte[0], key("broken")));
    assertEquals(503, failed.status());
    assertEquals(List.of("2"), failed.values("Retry-After"));
    assertEquals("UNAVAILABLE", JSON.readTree(failed.body()).path("code").asText());
    assertTrue(events.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rest/v1/health",
        "/rest/v1/openapi.yaml",
        "/runner/v1/claim",
        "/runner/v1/requests/a-1/expiry"
      })
  void openPathsNeedNoKey(String path) {
    assertEquals(200, status(path));
    assertFalse(events.getFirst().path("requestContext").has("authorizer"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/runner/v1/../../rest/v1/sessions",
        "/runner/v1/%2e%2e/x",
        "/rest/v1/health/",
        "/rest/v1/%68ealth",
        "/runner/v1/a//b",
        "/runner/v1/<>",
        "/runner/v1/nowhere",
        "/runner/v1/requests/..",
        "/runner/v1/requests/%2e%2e",
        "/runner/v1/requests/a/b"
      })
  void detoursNeedAKey(String path) {
    assertEquals(path.startsWith("/rest/v1/") ? 401 : 404, status(path));
  }

  @ParameterizedTest
  @CsvSource({"GET, /rest/v2/me", "GET, /health", "POST, /sessions", "POST, /console/sign-in"})
  void whoLeavesTheBeginningOfAPathAwayIsToldIt(String method, String path) throws Exception {
    HttpMessage.Answer answer = gateway.answer(request(method, path, "", new byte[0]));
    assertEquals(404, answer.status());
    String said = JSON.readTree(answer.body()).path("message").asText();
    assertTrue(said.startsWith("There is nothing at this path: all begin with /rest/v1"), said);
  }

  @Test
  void aBucketHolds100AndRefillsIn600Millis() {
    for (int i = 0; i < 100; i++) {
      assertEquals(200, status("/rest/v1/x", key("good")));
    }
    Answer limited = gateway.answer(request("GET", "/rest/v1/x", "", new byte[0], key("good")));
    assertEquals(429, limited.status());
    assertEquals(List.of("1"), limited.values("Retry-After"));
    assertEquals(List.of(UsagePlan.POLICY), limited.values("RateLimit-Policy"));
    assertEquals(200, status("/rest/v1/x", key("other")));
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(601));
    assertEquals(200, status("/rest/v1/x", key("good")));
    assertEquals(429, status("/rest/v1/x", key("good")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "a=%zz", "%4=1"})
  void brokenEscapesAreTheClientsError(String query) {
    assertEquals(
        400, gateway.answer(request("GET", "/rest/v1/health", query, new byte[0])).status());
    assertEquals(400, status("/rest/v1/" + query));
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /rest/v1/x, 1048576, 200",
    "POST, /rest/v1/x, 1048577, 413",
    "PATCH, /rest/v1/x, 1048577, 413",
    "POST, /runner/v1/claim, 65536, 200",
    "POST, /runner/v1/claim, 65537, 413",
    "POST, /runner/v1/lease, 65537, 413",
    "POST, /runner/v1/result, 65537, 413",
  })
  void aBodyHasTheLimitOfItsRoute(String method, String path, int size, int expected) {
    Answer given = gateway.answer(request(method, path, "", blank(size), key("good")));
    assertEquals(expected, given.status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/runner/v1/events", "/runner/v1/result", "/runner/v1/requests"})
  void aReportMayBeLargeOnceItsBearerLooksLikeOne(String path) {
    String id = "0198a5d2-1111-7222-8333-123456789abc";
    Header bearer =
        new Header("Authorization", "Bearer local." + id + "." + id + "." + "a".repeat(43));
    assertEquals(200, gateway.answer(request("POST", path, "", blank(6_000_000), bearer)).status());
    Answer refused = gateway.answer(request("POST", path, "", blank((6 << 20) + 1), bearer));
    assertEquals(413, refused.status());
    Header other = new Header("Authorization", "Bearer something");
    assertEquals(413, gateway.answer(request("POST", path, "", blank(1 << 20), other)).status());
  }

  @ParameterizedTest
  @CsvSource({"GET, /rest/v1/x", "DELETE, /rest/v1/x", "POST, /rest/v1/health"})
  void aBodyThatNobodyWantsIsNotRead(String method, String path) {
    Answer given = gateway.answer(request(method, path, "", blank(2 << 20), key("good")));
    assertEquals(200, given.status());
    assertTrue(events.getLast().path("body").isNull());
  }

  /// A body of quotes is twice as large in an event, so it exceeds the limit, as on Lambda.
  @Test
  void whatAFunctionCannotTakeOrGiveOnLambdaItCannotHere() {
    String id = "0198a5d2-1111-7222-8333-123456789abc";
    Header bearer =
        new Header("Authorization", "Bearer local." + id + "." + id + "." + "a".repeat(43));
    byte[] quotes = "\"".repeat(4 << 20).getBytes(UTF_8);
    Answer refused = gateway.answer(request("POST", "/runner/v1/result", "", quotes, bearer));
    assertEquals(413, refused.status());
    assertTrue(events.isEmpty());
    answer = "{\"statusCode\":200,\"body\":\"%s\"}".formatted("x".repeat(6_291_556));
    assertEquals(500, status("/rest/v1/x", key("good")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"statusCode\":99}",
        "{\"statusCode\":200,\"isBase64Encoded\":true,\"body\":\"?\"}",
        "boom"
      })
  void whateverAFunctionDoesTheShapeHolds(String given) throws Exception {
    answer = given;
    Answer failed = gateway.answer(request("GET", "/rest/v1/health", "", new byte[0]));
    assertEquals(500, failed.status());
    assertEquals("INTERNAL", JSON.readTree(failed.body()).path("code").asText());
  }

  private static byte[] blank(int size) {
    return " ".repeat(size).getBytes(UTF_8);
  }

  private int status(String path, Header... headers) {
    return gateway.answer(request("GET", path, "", new byte[0], headers)).status();
  }

  private JsonNode event(String method, String path, String query, byte[] body, Header... headers) {
    List<Header> all = new ArrayList<>(List.of(headers));
    all.add(key("good"));
    assertEquals(
        200,
        gateway.answer(request(method, path, query, body, all.toArray(Header[]::new))).status());
    return events.getLast();
  }

  private static Request request(
      String method, String path, String query, byte[] body, Header... headers) {
    return request(method, path, query, new ByteArrayInputStream(body), headers);
  }

  private static Request request(
      String method, String path, String query, InputStream body, Header... headers) {
    return new Request(
        "r-1",
        method,
        path,
        query,
        List.of(headers),
        "127.0.0.1",
        "HTTP/1.1",
        body,
        new Sender(() -> {}, () -> {}, () -> {}));
  }

  private static Header key(String text) {
    return new Header("authorization", "ApiKey " + text);
  }

  private void function(InputStream in, OutputStream out) throws java.io.IOException {
    events.add(JSON.readTree(in));
    if (answer.equals("boom")) {
      throw new IllegalStateException(answer);
    }
    out.write(answer.getBytes(UTF_8));
  }

  private void authorize(InputStream in, OutputStream out) throws java.io.IOException {
    JsonNode event = JSON.readTree(in);
    asked.add(event);
    String token = event.path("authorizationToken").asText().substring("ApiKey ".length());
    if (token.equals("broken")) {
      throw new RuntimeException("no table");
    }
    if (token.equals("bad") || token.equals(revoked)) {
      throw new RuntimeException("Unauthorized");
    }
    Runnable during = duringAuthorization;
    duringAuthorization = () -> {};
    during.run();
    String policy = "\"policyDocument\":{\"Statement\":[{\"Effect\":\"Allow\"}]}";
    out.write(
        ("{\"principalId\":\"id\","
                + policy
                + ",\"context\":{\"workspace\":\"w\"},\"usageIdentifierKey\":\""
                + token
                + "\"}")
            .getBytes(UTF_8));
  }

  private TimeMeter clock() {
    return new TimeMeter() {
      @Override
      public long currentTimeNanos() {
        return nanos.get();
      }

      @Override
      public boolean isWallClockBased() {
        return false;
      }
    };
  }
}
