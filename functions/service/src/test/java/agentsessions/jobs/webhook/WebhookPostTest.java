package agentsessions.jobs.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.id.EventId;
import agentsessions.session.webhook.Delivery;
import agentsessions.turn.catalogue.OperatorPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Receivers of every kind: an attempt is over in time, and nothing of the answer is read but its
/// head. No receiver closes its connection by itself: the sender ends every attempt.
@Timeout(60)
class WebhookPostTest {
  private static final int SECONDS = 2;

  /// Longer than a test may take.
  private static final int PATIENT_SECONDS = 600;

  private static final String VERSION = "1.2.3";
  private static final long GIGABYTE = 1L << 30;
  private static final String SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  private final ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final WebhookPost post = post(PATIENT_SECONDS);
  private final WebhookPost hasty = post(SECONDS);

  WebhookPostTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    socket.close();
    post.close();
    hasty.close();
  }

  /// The receiver's end of one connection.
  interface Manner {
    void speak(OutputStream out) throws IOException;
  }

  @Test
  void aReceiverIsToldWhoSends() throws Exception {
    CompletableFuture<List<String>> head = new CompletableFuture<>();
    Thread _ = Thread.startVirtualThread(() -> head.complete(headOfOne()));
    send(post, "http://127.0.0.1:" + socket.getLocalPort() + "/hook");
    List<String> lines = head.get(30, TimeUnit.SECONDS);
    assertTrue(lines.contains("User-Agent: agent-sessions/" + VERSION), lines::toString);
  }

  @Test
  void whoAnswersNothingIsWaitedForSoLongAndNoLonger() throws IOException {
    Delivery.Attempt attempt = sent(hasty, _ -> park());
    assertEquals("timeout", attempt.error());
    assertTrue(attempt.milliseconds() >= SECONDS * 1000L, attempt::toString);
  }

  @Test
  void whoAnswersByteByByteGetsNoMoreTime() throws IOException {
    Delivery.Attempt attempt =
        sent(
            hasty,
            out -> {
              out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII));
              while (true) {
                out.write('y');
                out.flush();
                LockSupport.parkNanos(100_000_000);
              }
            });
    assertEquals("timeout", attempt.error());
  }

  @Test
  void aGigabyteIsNotRead() throws IOException {
    AtomicLong written = new AtomicLong();
    Delivery.Attempt attempt =
        sent(out -> {
          out.write(head("200 OK\r\nContent-Length: " + GIGABYTE));
          byte[] megabyte = new byte[1 << 20];
          while (written.get() < GIGABYTE) {
            out.write(megabyte);
            written.addAndGet(megabyte.length);
          }
        });
    assertEquals(200, attempt.statusCode());
    assertTrue(written.get() < GIGABYTE / 10, () -> "" + written);
  }

  @Test
  void aHeadWithoutABodyIsEnough() throws IOException {
    Delivery.Attempt attempt =
        sent(out -> {
          out.write(head("204 No Content\r\nContent-Length: 5"));
          out.flush();
          park();
        });
    assertEquals(204, attempt.statusCode());
  }

  @Test
  void anEndlessHeadIsNoAnswer() throws IOException {
    Delivery.Attempt attempt =
        sent(out -> {
          out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
          for (int i = 0; i < 1_000_000; i++) {
            out.write("X: y\r\n".getBytes(StandardCharsets.US_ASCII));
          }
        });
    assertEquals("connect", attempt.error());
  }

  @Test
  void aRedirectIsNotFollowed() throws IOException {
    Delivery.Attempt attempt =
        sent(out -> out.write(head("307 Temporary Redirect\r\nLocation: http://169.254.169.254/")));
    assertEquals("redirect", attempt.error());
  }

  @Test
  void whatIsWrongBeforeAnAnswerHasAWord() throws IOException {
    String plain = "https://127.0.0.1:" + socket.getLocalPort();
    Thread _ = serve(out -> out.write(head("200 OK")));
    assertEquals("tls", send(post, plain).error());
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertEquals("connect", send(post, "http://127.0.0.1:" + deaf.getLocalPort()).error());
    }
    assertEquals("dns", send(post, "http://nobody.invalid/").error());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "[::1]",
        "10.0.0.1",
        "169.254.169.254",
        "[::ffff:127.0.0.1]",
        "0.0.0.0"
      })
  void anAddressThatIsNotPublicIsNotAskedFor(String host) throws IOException {
    WebhookPost careful = post(false, "", PATIENT_SECONDS);
    String url = "http://" + host + ":" + socket.getLocalPort();
    @Nullable String error = send(careful, url).error();
    assertTrue("address".equals(error) || "dns".equals(error), () -> "" + error);
    careful.close();
  }

  @Test
  void theServicesOwnListenersAreNotAskedWhateverIsAllowed() throws IOException {
    WebhookPost careful = post(true, "8080," + socket.getLocalPort(), PATIENT_SECONDS);
    for (String host : List.of("localhost", "127.0.0.2", "[::ffff:127.0.0.1]")) {
      assertEquals(
          "address", send(careful, "http://" + host + ":" + socket.getLocalPort()).error());
    }
    careful.close();
  }

  private static WebhookPost post(int seconds) {
    return post(true, "", seconds);
  }

  private static WebhookPost post(boolean allowPrivate, String ownPorts, int seconds) {
    OperatorPolicy allowed =
        new OperatorPolicy(allowPrivate, ownPorts, false, "", false, List.of());
    return new WebhookPost(allowed, Clock.systemUTC(), seconds, VERSION);
  }

  private Delivery.Attempt sent(Manner manner) throws IOException {
    return sent(post, manner);
  }

  private Delivery.Attempt sent(WebhookPost post, Manner manner) throws IOException {
    Thread server = serve(manner);
    try {
      return send(post, "http://127.0.0.1:" + socket.getLocalPort() + "/hook");
    } finally {
      server.interrupt();
    }
  }

  private static Delivery.Attempt send(WebhookPost post, String url) {
    return post.send(url, new EventId(UUID.randomUUID()), "{}", List.of(SECRET)).attempt();
  }

  private Thread serve(Manner manner) {
    return Thread.startVirtualThread(() -> {
      try (Socket connection = socket.accept()) {
        manner.speak(connection.getOutputStream());
      } catch (SocketException left) {
        // As it is meant to be.
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    });
  }

  private List<String> headOfOne() {
    try (Socket connection = socket.accept();
        BufferedReader request =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))) {
      List<String> lines = request.lines().takeWhile(line -> !line.isEmpty()).toList();
      connection.getOutputStream().write(head("204 No Content"));
      return lines;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static byte[] head(String status) {
    return ("HTTP/1.1 " + status + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static void park() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.park();
    }
  }
}
