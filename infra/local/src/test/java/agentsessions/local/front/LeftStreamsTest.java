package agentsessions.local.front;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests of the limit of event streams whose clients vanish without closing the connection.
class LeftStreamsTest {
  private static final int MOST = 200;
  private static final int KEYS = 10;

  /// The position of the status in a response's first line.
  private static final int STATUS = "HTTP/1.1 ".length();

  private static final String BEAT = "retry: 1000\\n\\nevent: heartbeat\\ndata: {}\\n\\n";
  private static final String END =
      "event: end\\nid: a\\ndata: {\\\"reason\\\":\\\"wait\\\"}\\n\\n";
  private static final String PART =
      "{\"statusCode\":200,\"headers\":{\"Content-Type\":\"text/event-stream\"},\"body\":\""
          + (BEAT + END)
          + "\"}";

  private final Semaphore beats = new Semaphore(0, true);
  private final List<Socket> open = new ArrayList<>();
  private ApiServer front;

  @BeforeEach
  void serve() throws IOException {
    front = new ApiServer(0);
    front.serve(
        new Gateway((in, out, context) -> tell(in, out), (in, out, context) -> know(in, out)), "");
  }

  @AfterEach
  void close() throws IOException {
    leave();
    front.endStreams();
    beats.release(100 * MOST);
    front.close();
  }

  @Test
  void theyAreFreeAtTheNextSignOfLife() throws IOException {
    for (int i = 0; i < MOST; i++) {
      assertEquals(200, follow());
    }
    assertEquals(429, follow());
    int _ = eventually(beats::getQueueLength, waiting -> waiting == MOST);
    leave();
    beats.release(MOST);
    for (int i = 0; i < MOST; i++) {
      int _ = eventually(this::follow, status -> status == 200);
    }
  }

  /// A long poll occupies a connection as well.
  @Test
  void whoWaitsForOneAnswerTakesAPlaceUntilItComes() throws IOException {
    for (int i = 0; i < MOST; i++) {
      Socket _ = ask("events?wait=20", "application/json");
    }
    int _ = eventually(beats::getQueueLength, waiting -> waiting == MOST);
    assertEquals(429, status(ask("events?wait=20", "application/json")));
    assertEquals(429, status(ask("events?wait=1", "text/event-stream")));
    assertEquals(429, status(ask("events/?wait=20", "application/json")));
    assertEquals(429, follow());
    assertEquals(200, status(ask("events?wait=0", "application/json")));
    beats.release(MOST);
    for (Socket answered : open.subList(0, MOST)) {
      assertEquals(200, status(answered));
    }
    assertEquals(200, follow());
  }

  /// Opens a stream and returns the response's status.
  private int follow() throws IOException {
    return status(ask("events", "text/event-stream"));
  }

  private Socket ask(String what, String accept) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), front.port());
    open.add(socket);
    String head =
        "GET /rest/v1/sessions/s/%s HTTP/1.1\r\nHost: h\r\nAccept: %s\r\nAuthorization: ApiKey %d\r\n\r\n"
            .formatted(what, accept, open.size() % KEYS);
    socket.getOutputStream().write(head.getBytes(ISO_8859_1));
    return socket;
  }

  private static int status(Socket socket) throws IOException {
    String line =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1)).readLine();
    return Integer.parseInt(line.substring(STATUS, STATUS + 3));
  }

  private void leave() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  /// The function: answers the first call at once, each further one at the next heartbeat.
  private void tell(InputStream in, OutputStream out) throws IOException {
    if (!new String(in.readAllBytes(), UTF_8).contains("\"wait\":\"0\"")) {
      beat();
    }
    out.write(PART.getBytes(UTF_8));
  }

  private void beat() throws IOException {
    try {
      if (!beats.tryAcquire(60, TimeUnit.SECONDS)) {
        throw new IOException("no sign of life");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException(stopped);
    }
  }

  private static void know(InputStream in, OutputStream out) throws IOException {
    String key = new String(in.readAllBytes(), UTF_8).replaceAll(".*ApiKey (\\d+).*", "$1");
    out.write(
        """
        {"principalId": "id", "policyDocument": {"Statement": [{"Effect": "Allow"}]},
         "context": {"workspace": "w"}, "usageIdentifierKey": "%s"}
        """
            .formatted(key)
            .getBytes(UTF_8));
  }
}
