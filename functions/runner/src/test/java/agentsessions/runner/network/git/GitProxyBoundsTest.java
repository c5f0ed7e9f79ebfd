package agentsessions.runner.network.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The idle timeout of a git host: no limit while bytes move, and a sentence with the reason when
/// none do.
class GitProxyBoundsTest {
  private static final Duration SILENCE = Duration.ofSeconds(4);
  private static final String NAMED = "for 4 seconds";
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile Answer answer = exchange -> {};
  private Loopback host;
  private GitProxy proxy;

  @BeforeEach
  void open() throws IOException {
    host =
        new Loopback(exchange -> {
          try (exchange) {
            answer.to(exchange);
          }
        });
    URI url = URI.create(host.url() + "/app.git");
    proxy =
        GitProxy.onLoopback(
            List.of(new GitRemote(1, url, Optional.empty(), false, Optional.empty())),
            new Addresses(true),
            SILENCE);
  }

  @AfterEach
  void close() {
    over.countDown();
    proxy.close();
    host.close();
  }

  @Test
  void slowHostIsHeardToItsEndWhileBytesFlow() throws Exception {
    answering(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      for (int piece = 0; piece < 20; piece++) {
        exchange.getResponseBody().write('x');
        exchange.getResponseBody().flush();
        Pause.millis(300);
      }
    });
    long begun = System.nanoTime();
    assertEquals("x".repeat(20), ask().body());
    assertTrue(System.nanoTime() - begun > SILENCE.toNanos(), "it was no test");
    assertEquals(List.of(), proxy.takeCuts());
  }

  @Test
  void hostThatNeverAnswersIsNamedWithTheBound() throws Exception {
    answering(exchange -> waitForTheEnd());
    HttpResponse<String> answer = ask();
    assertEquals(502, answer.statusCode());
    assertTrue(answer.body().contains(NAMED), answer.body());
  }

  @Test
  void hostThatFallsSilentIsNamedWithTheBoundThatGitIsNotTold() {
    answering(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('x');
      exchange.getResponseBody().flush();
      waitForTheEnd();
    });
    assertThrows(IOException.class, this::ask);
    List<String> cuts = proxy.takeCuts();
    assertTrue(cuts.toString().contains(NAMED), cuts::toString);
    assertEquals(List.of(), proxy.takeCuts());
  }

  /// Such as a git whose unpacker was ended for too large a file.
  @Test
  void gitThatIsGoneIsNoCut() throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    answering(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      sendUntilItFails(exchange.getResponseBody(), gone);
      ended.countDown();
    });
    try (Socket git = new Socket(proxyUrl().getHost(), proxyUrl().getPort())) {
      String head =
          "GET %s?%s HTTP/1.1\r\nHost: x\r\n\r\n"
              .formatted(proxyUrl().getRawPath(), proxyUrl().getRawQuery());
      git.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      assertTrue(git.getInputStream().read() > 0);
    }
    gone.countDown();
    ended.await();
    proxy.close();
    assertEquals(List.of(), proxy.takeCuts());
  }

  private static void sendUntilItFails(OutputStream body, CountDownLatch gone) throws IOException {
    byte[] piece = new byte[1 << 16];
    body.write(piece);
    body.flush();
    try {
      gone.await();
      while (true) {
        body.write(piece);
      }
    } catch (IOException ended) {
      // The proxy has closed the connection.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  private void answering(Answer given) {
    answer = given;
  }

  private void waitForTheEnd() {
    try {
      over.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<String> ask() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(proxyUrl()).build(), BodyHandlers.ofString());
    }
  }

  private URI proxyUrl() {
    return URI.create(
        proxy.loopbackUrl().orElseThrow() + "/1/app.git/info/refs?service=git-upload-pack");
  }
}
