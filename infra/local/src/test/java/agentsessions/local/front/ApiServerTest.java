package agentsessions.local.front;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.front.HttpMessage.Answer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the HTTP server with malformed input: the response is always in the API's shape and
/// never a server error.
class ApiServerTest {
  private static final ApiServer FRONT = open();

  @BeforeAll
  static void serve() {
    byte[] ok = "{\"statusCode\":200,\"body\":\"hello\"}".getBytes(UTF_8);
    FRONT.serve(
        new Gateway(
            (in, out, context) -> out.write(ok),
            (in, out, context) -> {
              throw new RuntimeException("Unauthorized");
            },
            () -> false),
        "https://page.example");
  }

  @AfterAll
  static void close() {
    FRONT.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE",
        "GET / HTTP/3.7",
        "GET / HTTP/0.9",
        "GET /",
        "GET  HTTP/1.1",
        "GET /a b HTTP/1.1",
        "GET /%zz HTTP/1.1",
        "GET /\u0000 HTTP/1.1",
        "GET /\u00ff|[]{}<>^`\" HTTP/1.1",
        "GET foo:bar HTTP/1.1",
        "GET http://other:99999999/ HTTP/1.1",
        "GET ?q HTTP/1.1",
        "GET #f HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "F\u0000O / HTTP/1.1",
        "\u0016\u0003\u0001",
        "GET / HTTP/1.1\r\nHost: a",
        "GET / HTTP/1.1\r\n: x",
        "GET / HTTP/1.1\r\nX: \u0001",
        "POST / HTTP/1.1\r\nTransfer-Encoding: odd",
        "POST / HTTP/1.1\r\nContent-Length: -1",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6",
        "POST / HTTP/1.1\r\nExpect: odd"
      })
  void oddInputIsTheClientsErrorInShape(String head) throws IOException {
    Reply reply = send(head + "\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertTrue(reply.status >= 400 && reply.status < 500, reply.status + " to " + head);
    assertEquals(reply.header("X-Request-Id"), reply.json().path("request_id").asText());
    assertTrue(reply.json().has("code") && reply.json().has("message"));
  }

  @Test
  void whatTheGatewayRefusesMayBeReadByThePagesThatMayAsk() throws IOException {
    Reply reply = send("GET /rest/v1/me HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertEquals(401, reply.status);
    assertEquals("https://page.example", reply.header("Access-Control-Allow-Origin"));
    assertTrue(reply.header("Access-Control-Expose-Headers").contains("Retry-After"));
    assertEquals("no-store", reply.header("Cache-Control"));
  }

  @Test
  void theBeginningSaysWhereTheDocumentationIs() throws IOException {
    Reply reply = send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertEquals(200, reply.status);
    assertEquals("docs", reply.json().path("docs").asText());
  }

  @Test
  void nobodySpeaksForARunnerAtTheClientsDoor() throws IOException {
    Reply reply = send("GET /runner/v1/turn HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertEquals(404, reply.status);
    assertEquals("NOT_FOUND", reply.json().path("code").asText());
  }

  @Test
  void aHugeHeadIsRefusedInShape() throws IOException {
    assertEquals(
        414,
        send("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            .status);
    assertEquals(
        431,
        send("GET / HTTP/1.1\r\nHost: h\r\nX: "
                + "a".repeat(20_000)
                + "\r\nConnection: close\r\n\r\n")
            .status);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 414, 431})
  void whatTheServerRefusesMayBeReadByThePagesThatMayAsk(int status) throws IOException {
    String head =
        switch (status) {
          case 414 -> "GET /" + "a".repeat(20_000) + " HTTP/1.1";
          case 431 -> "GET / HTTP/1.1\r\nX: " + "a".repeat(20_000);
          default -> "GARBAGE";
        };
    Reply reply = send(head + "\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertEquals(status, reply.status);
    assertEquals("https://page.example", reply.header("Access-Control-Allow-Origin"));
    assertTrue(reply.header("Access-Control-Expose-Headers").contains("X-Request-Id"));
    assertEquals("no-store", reply.header("Cache-Control"));
  }

  @Test
  void aRefusalOfAServerThatStopsSaysToComeAgain() throws IOException {
    Answer refusal = Gateway.answer(GatewayResponse.refused(503), "id");
    assertEquals("UNAVAILABLE", new ObjectMapper().readTree(refusal.body()).path("code").asText());
    assertEquals(503, refusal.status());
  }

  @Test
  void headHasTheLengthButNoBody() throws IOException {
    Reply reply = send("HEAD /rest/v1/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertEquals(200, reply.status);
    assertEquals("5", reply.header("Content-Length"));
    assertEquals("", reply.body);
  }

  /// Otherwise the connection would end under a client that is still sending, or that sends its
  /// next request.
  @Test
  void aBodyIsReadAlsoWhenItsRequestIsRefused() throws IOException {
    int length = 3 << 20;
    String refused = "POST /rest/v1/sessions HTTP/1.1\r\nHost: h\r\nContent-Length: " + length;
    String next = "GET /rest/v1/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    Reply reply = send(refused + "\r\n\r\n" + " ".repeat(length) + next);
    assertEquals(401, reply.status);
    assertTrue(reply.body.endsWith("hello"), reply.body);
  }

  /// A proxy in front of this server might take it for the end of the body and send another
  /// client's request on the same connection (request smuggling).
  @Test
  void whatHidesInAChunksQuotesIsNoRequest() throws IOException {
    String first =
        "POST /rest/v1/console/sign-in HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked";
    String hidden = "GET /rest/v1/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    Reply reply = send(first + "\r\n\r\n1;a=\"\r\nX\r\n0\r\n\r\n" + hidden);
    assertEquals(400, reply.status);
    assertFalse(reply.body.contains("HTTP/1.1"), reply.body);
  }

  @Test
  void aPortIsOpenedOnce() {
    assertThrows(IOException.class, () -> new ApiServer(FRONT.port()));
  }

  private static ApiServer open() {
    try {
      return new ApiServer(0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private record Reply(int status, String head, String body) {
    String header(String name) {
      return head.lines()
          .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
          .map(line -> line.substring(name.length() + 2))
          .findFirst()
          .orElse("");
    }

    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(body);
    }
  }

  private static Reply send(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), FRONT.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      int end = answer.indexOf("\r\n\r\n");
      return new Reply(
          Integer.parseInt(answer.substring(9, 12)),
          answer.substring(0, end),
          answer.substring(end + 4));
    }
  }
}
