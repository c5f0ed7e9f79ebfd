package agentsessions.runner.protocol;

import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import dev.failsafe.RetryPolicyBuilder;
import dev.failsafe.function.CheckedSupplier;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The runner's side of the runner protocol. Every call may be repeated, and is while it fails for
/// a reason that may pass; where a call can find the turn not live any more, that is an answer, not
/// an error.
///
/// Errors name the call and the status, never an address or a token: both can hold secrets.
public final class Control {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);
  private static final int CONFLICT = 409;
  private static final int EXISTS = 412;
  private static final Duration ONCE = Duration.ZERO;
  private static final Duration SANDBOX = Duration.ofSeconds(50);

  /// The first call may wake the service up.
  private static final Duration FIRST = Duration.ofSeconds(30);

  private static final Duration CALL = Duration.ofSeconds(10);

  private final URI url;
  private final String bearer;

  public Control(URI url, String bearer) {
    this.url = url;
    this.bearer = bearer;
  }

  /// The service answered with an error that repeating does not help, or not at all.
  public static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;

    Refused(String call, int status, String code) {
      super("%s: %d %s".formatted(call, status, code));
      this.status = status;
      this.code = code;
    }

    /// Whether the service has answered for good.
    public boolean isFinal() {
      return !PASSING.contains(status);
    }

    public boolean says(String wanted) {
      return status == CONFLICT && code.equals(wanted);
    }
  }

  public record Upload(String key, URI url) {}

  private record Uploads(List<Upload> uploads) {}

  /// Claims the turn of our ticket.
  ///
  /// @throws Refused also with the codes `NOT_LIVE` and `SANDBOX_BUSY`
  public Claim claim(int attempt, String claimId) throws IOException {
    Map<String, Object> body = Map.of("attempt", attempt, "claim_id", claimId);
    return Json.MAPPER.treeToValue(post("claim", body, FIRST, FIRST), Claim.class);
  }

  /// Whether the turn is still ours to run. Asked once: who asks, asks again soon.
  public boolean isLive() throws IOException {
    HttpRequest request = request("turn", Duration.ofSeconds(3)).GET().build();
    return json("turn", send("turn", request, ONCE)).path("live").asBoolean();
  }

  public boolean renew() throws IOException {
    return post("lease", Map.of(), CALL).path("live").asBoolean();
  }

  /// Adds to the transcript; `from` is how many events were sent before these.
  public void events(int from, List<Event> events) throws IOException {
    post("events", Map.of("from", from, "events", events), CALL);
  }

  public List<Upload> uploads(List<Long> sizes) throws IOException {
    List<Map<String, Long>> files = sizes.stream().map(size -> Map.of("size", size)).toList();
    JsonNode answer = post("uploads", Map.of("files", files), Duration.ofSeconds(30));
    return Json.MAPPER.treeToValue(answer, Uploads.class).uploads();
  }

  /// Uploads to a link that carries its own permission and overwrites nothing, as long as it is
  /// `wanted`. True if this very call has stored it; false if an attempt before may have, whose
  /// answer was lost: something is there already.
  ///
  /// @throws Refused also where something was there before the first attempt
  public boolean put(URI link, BodyPublisher body, Duration time, BooleanSupplier wanted)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(link).timeout(time).header("If-None-Match", "*").PUT(body).build();
    AtomicInteger attempts = new AtomicInteger();
    HttpResponse<byte[]> response =
        repeated(
            "upload",
            // One that is still under way is in conflict with the next.
            retries(time, wanted).handleResultIf(answer -> answer.statusCode() == CONFLICT).build(),
            () -> {
              attempts.incrementAndGet();
              return HTTP.send(request, BodyHandlers.ofByteArray());
            });
    if (response.statusCode() == EXISTS && attempts.get() > 1) {
      return false;
    }
    json("upload", response);
    return true;
  }

  /// Reports the result, and does not give up easily: all the turn's work is in it.
  public void result(Result result, Duration patience) throws IOException {
    post("result", result, patience);
  }

  /// Reads the sandbox as the turn before saved it, by a link that carries its own permission.
  public InputStream download(String link) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(link)).timeout(SANDBOX).GET().build();
    try {
      HttpResponse<InputStream> response = HTTP.send(request, BodyHandlers.ofInputStream());
      if (response.statusCode() != 200) {
        throw new Refused("download", response.statusCode(), "");
      }
      return response.body();
    } catch (InterruptedException interrupted) {
      throw failure("download", interrupted);
    }
  }

  /// Puts one part of a sandbox to a link that carries its own permission; its entity tag.
  String putPart(URI link, BodyPublisher body, Duration time, Duration patience)
      throws IOException {
    HttpRequest request = HttpRequest.newBuilder(link).timeout(time).PUT(body).build();
    HttpResponse<byte[]> response = send("save", request, patience);
    json("save", response);
    return response.headers().firstValue("ETag").orElseThrow(() -> new IOException("save: no tag"));
  }

  /// Lets the sandbox go, which is lost unless it was saved or is `untouched`.
  public void release(boolean untouched, Duration patience) throws IOException {
    post("release", Map.of("untouched", untouched), patience);
  }

  JsonNode post(String call, Object body, Duration patience) throws IOException {
    return post(call, body, patience, CALL);
  }

  JsonNode post(String call, Object body, Duration patience, Duration time) throws IOException {
    HttpRequest request =
        request(call, time)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(bytes(body)))
            .build();
    return json(call, send(call, request, patience));
  }

  private static byte[] bytes(Object body) throws JsonProcessingException {
    return Json.MAPPER.writeValueAsBytes(body);
  }

  private HttpRequest.Builder request(String call, Duration time) {
    return HttpRequest.newBuilder(URI.create(url + "/" + call))
        .timeout(time)
        .header("Authorization", "Bearer " + bearer);
  }

  private static HttpResponse<byte[]> send(String call, HttpRequest request, Duration patience)
      throws IOException {
    if (!patience.isZero()) {
      return repeated(
          call,
          retries(patience, () -> true).build(),
          () -> HTTP.send(request, BodyHandlers.ofByteArray()));
    }
    try {
      return HTTP.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException interrupted) {
      throw failure(call, interrupted);
    }
  }

  private static HttpResponse<byte[]> repeated(
      String call,
      RetryPolicy<HttpResponse<byte[]>> retries,
      CheckedSupplier<HttpResponse<byte[]>> attempt)
      throws IOException {
    try {
      return Failsafe.with(retries).get(attempt);
    } catch (FailsafeException failed) {
      throw failure(call, failed.getCause());
    }
  }

  private static IOException failure(String call, @Nullable Throwable cause) {
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new IOException(
        call + " failed: " + (cause == null ? "" : cause.getClass().getSimpleName()));
  }

  private static RetryPolicyBuilder<HttpResponse<byte[]>> retries(
      Duration patience, BooleanSupplier wanted) {
    return RetryPolicy.<HttpResponse<byte[]>>builder()
        .handle(IOException.class)
        .handleResultIf(response -> PASSING.contains(response.statusCode()))
        .abortIf((_, _) -> !wanted.getAsBoolean())
        .withBackoff(Duration.ofMillis(100), Duration.ofSeconds(3))
        .withJitter(0.3)
        .withMaxRetries(-1)
        .withMaxDuration(patience);
  }

  private static JsonNode json(String call, HttpResponse<byte[]> response) throws IOException {
    Optional<JsonNode> body = Json.parse(new String(response.body(), StandardCharsets.UTF_8));
    if (response.statusCode() / 100 != 2) {
      String code = body.map(error -> error.path("code").asText()).orElse("");
      throw new Refused(call, response.statusCode(), code);
    }
    return body.orElseGet(Json.MAPPER::createObjectNode);
  }
}
