package agentsessions.local.front;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.local.wire.HeldConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests of the memory quota of bodies, with clients that hold back the end of their body, over
/// real sockets.
class BodyQuotaTest {
  private static final String ID = "0198a5d2-1111-7222-8333-123456789abc";
  private static final String BEARER =
      "Authorization: Bearer local." + ID + "." + ID + "." + "a".repeat(43) + "\r\n";
  private static final String REPORT =
      "POST /runner/v1/result HTTP/1.1\r\nHost: h\r\n" + BEARER + "Content-Length: 2000000\r\n\r\n";

  private ApiServer clients;
  private ApiServer runners;

  @BeforeEach
  void serve() throws IOException {
    clients = new ApiServer(0);
    runners = new ApiServer(0);
    byte[] ok = "{\"statusCode\":200,\"body\":\"hello\"}".getBytes(UTF_8);
    byte[] allowed =
        """
        {"principalId": "p", "usageIdentifierKey": "u", "context": {},
         "policyDocument": {"Statement": [{"Effect": "Allow"}]}}
        """
            .getBytes(UTF_8);
    Gateway gateway =
        new Gateway((in, out, context) -> out.write(ok), (in, out, context) -> out.write(allowed));
    clients.serve(gateway, "");
    runners.serveRunners(gateway);
  }

  @AfterEach
  void close() {
    clients.close();
    runners.close();
  }

  @Test
  void aCrowdWithHalfBodiesKeepsNobodyOut() throws IOException {
    try (HeldConnections crowd = new HeldConnections(runners.port())) {
      crowd.join(20, REPORT + "x".repeat(1_900_000));
      assertEquals(200, send("GET /rest/v1/x", "Authorization: ApiKey k\r\n", 0));
      assertEquals(200, send("POST /rest/v1/x", "Authorization: ApiKey k\r\n", 1 << 20));
      assertEquals(200, send("POST /runner/v1/claim", "", 1_000));
      assertEquals(200, send("POST /runner/v1/result", BEARER, 1 << 20));
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedByItsLength() throws IOException {
    assertEquals(413, send("POST /runner/v1/claim", "", 10_000_000));
    assertEquals(413, send("POST /rest/v1/x", "Authorization: ApiKey k\r\n", (1 << 20) + 1));
  }

  private int send(String what, String header, int length) throws IOException {
    ApiServer door = what.contains(" /runner/") ? runners : clients;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), door.port())) {
      socket.setSoTimeout(60_000);
      String head =
          what
              + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
              + (header + "Content-Length: " + length + "\r\n\r\n");
      socket.getOutputStream().write((head + " ".repeat(length)).getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      return Integer.parseInt(answer.substring(9, 12));
    }
  }
}
