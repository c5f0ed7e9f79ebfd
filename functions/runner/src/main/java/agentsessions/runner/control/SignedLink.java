package agentsessions.runner.control;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// A presigned link to an object of the service: it carries its own permission, so it is a secret.
public final class SignedLink {
  private static final int PARTIAL = 206;
  private static final int CONFLICT = 409;
  private static final int EXISTS = 412;
  private static final Duration DOWNLOAD = Duration.ofSeconds(50);

  private final URI url;

  public SignedLink(URI url) {
    this.url = url;
  }

  /// Uploads an object without overwriting one, with retries as long as it is `wanted`. True if
  /// this call has stored it; false if an earlier attempt may have, whose response was lost: then
  /// the object exists already.
  ///
  /// @throws CallRefused also if the object existed before the first attempt
  public boolean put(BodyPublisher body, Duration time, BooleanSupplier wanted) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(url).timeout(time).header("If-None-Match", "*").PUT(body).build();
    AtomicInteger attempts = new AtomicInteger();
    HttpResponse<byte[]> response =
        HttpRetries.repeated(
            "upload",
            // S3 answers 409 while another conditional write to the same object is under way.
            HttpRetries.retries(time, wanted)
                .handleResultIf(answer -> answer.statusCode() == CONFLICT)
                .build(),
            () -> {
              attempts.incrementAndGet();
              return HttpRetries.HTTP.send(request, BodyHandlers.ofByteArray());
            });
    if (response.statusCode() == EXISTS && attempts.get() > 1) {
      return false;
    }
    HttpRetries.json("upload", response);
    return true;
  }

  /// Puts one part of a sandbox, and returns its entity tag.
  String putPart(BodyPublisher body, Duration time, Duration retryTime) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(url).timeout(time).PUT(body).build();
    HttpResponse<byte[]> response = HttpRetries.send("save", request, retryTime);
    HttpRetries.json("save", response);
    return response.headers().firstValue("ETag").orElseThrow(() -> new IOException("save: no tag"));
  }

  /// Opens the object's content as a stream.
  public InputStream download() throws IOException {
    return open(HttpRequest.newBuilder(url));
  }

  /// Asks for the first byte only, to know whether the link is valid.
  ///
  /// @throws IOException if it is not
  public void check() throws IOException {
    open(HttpRequest.newBuilder(url).header("Range", "bytes=0-0")).close();
  }

  private static InputStream open(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<InputStream> response =
          HttpRetries.HTTP.send(
              request.timeout(DOWNLOAD).GET().build(), BodyHandlers.ofInputStream());
      if (response.statusCode() != 200 && response.statusCode() != PARTIAL) {
        throw new CallRefused("download", response.statusCode(), "");
      }
      return response.body();
    } catch (InterruptedException interrupted) {
      throw HttpRetries.failure("download", interrupted);
    }
  }
}
