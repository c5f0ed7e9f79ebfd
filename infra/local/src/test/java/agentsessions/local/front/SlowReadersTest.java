package agentsessions.local.front;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.wire.HttpListener;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests of clients that request large responses and do not read them.
class SlowReadersTest {
  /// Bytes of a response, more than the kernel takes where nobody reads (4.1 MiB on loopback): one
  /// that it has whole is sent, and no longer kept here.
  private static final int LARGE = 5 << 20;

  private static final int ROOM = 24 << 20;
  private static final int CROWD = 40;

  private final List<Socket> open = new ArrayList<>();
  private ApiServer front;

  @BeforeEach
  void serve() throws IOException {
    serve(Duration.ofSeconds(1));
  }

  /// @param toTake the time after which a response may be displaced
  private void serve(Duration toTake) throws IOException {
    front = new ApiServer(new HttpListener(0), toTake);
    front.serve(
        new Gateway((in, out, context) -> answer(out), (in, out, context) -> allow(out)), "");
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    front.close();
  }

  /// Responses that are not read must not fill the memory.
  @Test
  void soManyBytesAreKeptForThemAndWhoReadsIsServed() throws IOException {
    for (int i = 0; i < CROWD; i++) {
      Socket _ = ask("GET");
    }
    int _ = eventually(() -> read(ask("GET")), length -> length > LARGE);
    // Only after each has been answered or refused: one that still waits would get the memory that
    // others free.
    List<Socket> crowd = open.subList(0, CROWD);
    for (Socket socket : crowd) {
      begin(socket);
    }
    long kept = crowd.stream().filter(socket -> read(socket) > LARGE).count();
    assertTrue(kept * LARGE <= ROOM, () -> kept + " of " + CROWD);
  }

  /// A client that is told to try again would do the work twice.
  @Test
  void whatWasDoneIsAnsweredThoughThereIsNoRoom() throws IOException {
    front.close();
    serve(Duration.ofMinutes(1));
    for (int i = 0; i < CROWD; i++) {
      Socket _ = ask("GET");
    }
    String _ = eventually(() -> status(ask("GET")), status -> status.equals("HTTP/1.1 503"));
    assertTrue(read(ask("POST")) > LARGE);
  }

  private Socket ask(String method) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), front.port());
    open.add(socket);
    String head =
        "%s /rest/v1/me HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: ApiKey %d\r\n\r\n"
            .formatted(method, open.size());
    socket.getOutputStream().write(head.getBytes(ISO_8859_1));
    return socket;
  }

  /// Waits for the first byte, or the end.
  private static void begin(Socket socket) {
    try {
      int _ = socket.getInputStream().read();
    } catch (IOException reset) {
      // As good as an end.
    }
  }

  /// The version and status of a response; empty where the request is among the few that wait, for
  /// as long as a response may be taken.
  private static String status(Socket socket) throws IOException {
    socket.setSoTimeout(1000);
    try {
      return new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
    } catch (SocketTimeoutException waits) {
      return "";
    }
  }

  /// How many bytes came before the end.
  private static int read(Socket socket) {
    byte[] part = new byte[64 << 10];
    int length = 0;
    try {
      for (int count = 0; count >= 0; count = socket.getInputStream().read(part)) {
        length += count;
      }
    } catch (IOException reset) {
      // As good as an end.
    }
    return length;
  }

  private static void answer(OutputStream out) throws IOException {
    out.write("{\"statusCode\":200,\"body\":\"".getBytes(UTF_8));
    out.write("x".repeat(LARGE).getBytes(UTF_8));
    out.write("\"}".getBytes(UTF_8));
  }

  private static void allow(OutputStream out) throws IOException {
    out.write(
        """
        {"principalId": "p", "usageIdentifierKey": "u", "context": {},
         "policyDocument": {"Statement": [{"Effect": "Allow"}]}}
        """
            .getBytes(UTF_8));
  }
}
