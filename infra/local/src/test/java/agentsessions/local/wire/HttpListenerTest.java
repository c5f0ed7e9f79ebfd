package agentsessions.local.wire;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Tests of the HTTP server's limits, with crowds of real sockets.
class HttpListenerTest {
  private static final String HALF = "GET / HTTP/1.1\r\nHost: h\r\nX: " + "x".repeat(6_000);
  private static final String WHOLE = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

  private final AtomicLong now = new AtomicLong();
  private final ConnectionLimit connections =
      new ConnectionLimit(50, Duration.ofSeconds(1), Duration.ofSeconds(60), now::get);
  private final HttpListener listener = open(connections);

  @AfterEach
  void close() {
    listener.close();
  }

  @Test
  void aCrowdWithHalfHeadsKeepsNobodyOut() throws IOException {
    try (HeldConnections crowd = new HeldConnections(listener.port())) {
      for (int i = 0; i < 10; i++) {
        crowd.join(50, HALF);
        assertEquals("HTTP/1.1 200 OK", ask());
      }
      assertTrue(connections.count() <= 50);
    }
  }

  @Test
  void aHeadThatNeverEndsIsGivenUpAlsoWhenBytesKeepComing() throws Exception {
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      slow.setSoTimeout(100);
      slow.getOutputStream().write("GET / HTTP/1.1\r\nX: ".getBytes(US_ASCII));
      int _ = eventually(connections::count, came -> came == 1);
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      connections.tidy();
      assertFalse(HeldConnections.isClosed(slow));
      now.incrementAndGet();
      boolean _ = eventually(() -> HeldConnections.isClosed(slow), closed -> closed);
    }
  }

  @RepeatedTest(10)
  void whoIsAcceptedWhileItClosesIsNotLeftWaiting() throws Exception {
    HttpListener closing =
        open(new ConnectionLimit(50, Duration.ofSeconds(1), Duration.ofSeconds(60), now::get));
    CountDownLatch some = new CountDownLatch(5);
    CompletableFuture<List<Socket>> coming =
        CompletableFuture.supplyAsync(() -> connectMany(closing.port(), some));
    some.await();
    closing.close();
    for (Socket guest : coming.get()) {
      guest.setSoTimeout(100);
      boolean _ = eventually(() -> HeldConnections.isClosed(guest), closed -> closed);
      guest.close();
    }
  }

  private static List<Socket> connectMany(int port, CountDownLatch some) {
    List<Socket> connected = new ArrayList<>();
    try {
      while (connected.size() < 200) {
        connected.add(new Socket(InetAddress.getLoopbackAddress(), port));
        some.countDown();
      }
    } catch (IOException refused) {
      // The server has closed it.
    }
    return connected;
  }

  private String ask() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(WHOLE.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII)
          .lines()
          .findFirst()
          .orElse("");
    }
  }

  private static HttpListener open(ConnectionLimit connections) {
    try {
      HttpListener listener = new HttpListener(0, connections);
      listener.serve(new Ok(), (_, _, callback) -> answer(callback));
      return listener;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static boolean answer(Callback callback) {
    callback.succeeded();
    return true;
  }

  private static final class Ok extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      return answer(callback);
    }
  }
}
