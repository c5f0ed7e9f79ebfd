package agentsessions.runner.network.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/// The requests that a turn's proxies accept, over a real socket.
class ListenerTest {
  private static final Listener.Bounds BOUNDS = new Listener.Bounds(9, Duration.ofSeconds(20));

  private final Queue<String> asked = new ConcurrentLinkedQueue<>();

  @Test
  void whatHidesInAChunksQuotesIsNoRequest() throws IOException {
    String first = "POST /first HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    String hidden = "GET /hidden HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    String answer = ask(first + "1;a=\"\r\nX\r\n0\r\n\r\n" + hidden);
    assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
    assertEquals(0, answer.lastIndexOf("HTTP/1.1"), answer);
    assertEquals(List.of("/first"), List.copyOf(asked));
  }

  /// The whole response until the connection is closed.
  private String ask(String text) throws IOException {
    try (Listener listener =
            Listener.onLoopback("test", new Reader(), (_, _, done) -> answer(done), BOUNDS);
        Socket agent = new Socket(InetAddress.getLoopbackAddress(), listener.port(0))) {
      agent.setSoTimeout(20_000);
      agent.getOutputStream().write(text.getBytes(US_ASCII));
      return new String(agent.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  private static boolean answer(Callback callback) {
    callback.succeeded();
    return true;
  }

  private final class Reader extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      asked.add(request.getHttpURI().getPath());
      Content.Source.asInputStream(request).readAllBytes();
      return answer(callback);
    }
  }
}
