package agentsessions.runner.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.testing.Loopback;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A turn with hardly any time left still reports its result.
class HttpRetriesTest {
  @AutoClose private Loopback service;

  @BeforeEach
  void serve() throws IOException {
    service = new Loopback(exchange -> exchange.sendResponseHeaders(204, -1));
  }

  @ParameterizedTest
  @ValueSource(ints = {-50, 0, 1, 100, 101, 5_000})
  void itIsSentOnceHoweverLittleTimeThereIs(int milliseconds) throws IOException {
    URI url = URI.create(service.url());
    HttpRequest request = HttpRequest.newBuilder(url).build();
    assertEquals(
        204, HttpRetries.send("result", request, Duration.ofMillis(milliseconds)).statusCode());
  }
}
