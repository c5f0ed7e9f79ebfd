package agentsessions.talk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Executors;

/// The one HTTP client of the proof. The JDK uses no proxy for loopback, also where calls of the
/// SDK go through one.
final class HttpTransport {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(30))
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(60);

  private HttpTransport() {}

  static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(LONGEST_REQUEST);
  }

  static ApiResponse answer(HttpRequest request) {
    HttpResponse<String> response = exchange(request, BodyHandlers.ofString());
    return new ApiResponse(
        request.method() + " " + request.uri(),
        response.statusCode(),
        response.headers(),
        response.body());
  }

  static <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> body) {
    try {
      return HTTP.send(request, body);
    } catch (IOException e) {
      throw new UncheckedIOException(request + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException(request + ": interrupted"));
    }
  }
}
