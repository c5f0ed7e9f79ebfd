package agentsessions.runner.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A turn with hardly any time left still reports its result.
class HttpRetriesTest {
  private HttpServer service;

  @BeforeEach
  void serve() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
    service.start();
  }

  @AfterEach
  void stop() {
    service.stop(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {-50, 0, 1, 100, 101, 5_000})
  void itIsSentOnceHoweverLittleTimeThereIs(int milliseconds) throws IOException {
    URI url = URI.create("http://127.0.0.1:" + service.getAddress().getPort());
    HttpRequest request = HttpRequest.newBuilder(url).build();
    assertEquals(
        204, HttpRetries.send("result", request, Duration.ofMillis(milliseconds)).statusCode());
  }
}
