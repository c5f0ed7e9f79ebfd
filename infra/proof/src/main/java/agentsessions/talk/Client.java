package agentsessions.talk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/// A client of the service's API: it knows the base URL and, usually, a key. It uses several keys
/// of a workspace in turn, since each has its own rate limit. Paths are under the base URL; a whole
/// URL is used as it is.
///
/// A service that cannot be reached is an `UncheckedIOException`.
public final class Client {
  public static final ObjectMapper JSON = ApiResponse.JSON;

  private final String base;
  private final List<String> authorizations;
  private final Manner manner;
  private final AtomicInteger turn = new AtomicInteger();

  private Client(String base, List<String> authorizations, Manner manner) {
    this.base = base;
    this.authorizations = authorizations;
    this.manner = manner;
  }

  /// The waiting behaviour of a client.
  ///
  /// @param patient whether it repeats a request after 429, as `Retry-After` says
  /// @param limit longest wait for an expected event
  /// @param pace interval between questions meanwhile
  private record Manner(boolean patient, Duration limit, Duration pace, ExchangeObserver observer) {
    private static final Manner USUAL =
        new Manner(false, Duration.ofMinutes(3), Duration.ofMillis(250), (_, _, _, _) -> {});
  }

  /// A client of a service.
  ///
  /// @param service URL without a path
  public static Client of(URI service, List<String> keys) {
    return new Client(
        service + "/rest/v1", keys.stream().map(key -> "ApiKey " + key).toList(), Manner.USUAL);
  }

  /// A client of an API, with one key or none.
  ///
  /// @param base URL that the API's paths are relative to
  public static Client at(String base, @Nullable String key) {
    return new Client(base, key == null ? List.of() : List.of("ApiKey " + key), Manner.USUAL);
  }

  /// A client of the runner protocol, with a ticket or a token.
  public static Client ofRunner(String url, String pass) {
    return new Client(url, List.of("Bearer " + pass), Manner.USUAL);
  }

  /// The same client, patient: it polls slowly enough for one key, which allows 100 requests a
  /// minute, and waits three minutes at most.
  public Client patient() {
    return patient(Duration.ofMinutes(3), Duration.ofMillis(700));
  }

  /// The same client, which repeats a request after 429, as `Retry-After` says.
  public Client patient(Duration limit, Duration pace) {
    return new Client(base, authorizations, new Manner(true, limit, pace, manner.observer));
  }

  /// The same client, which shows each exchange to `observer`.
  public Client observedBy(ExchangeObserver observer) {
    return new Client(
        base, authorizations, new Manner(manner.patient, manner.limit, manner.pace, observer));
  }

  /// The same client with another key, or none.
  public Client with(@Nullable String otherKey) {
    return new Client(base, at(base, otherKey).authorizations, manner);
  }

  public String base() {
    return base;
  }

  public String key() {
    return authorizations.getFirst().substring("ApiKey ".length());
  }

  /// All keys, in the order in which they are used.
  public List<String> keys() {
    return authorizations.stream().map(one -> one.substring("ApiKey ".length())).toList();
  }

  /// Without the keys, which must not be in a message or a report.
  @Override
  public String toString() {
    return base;
  }

  /// A wait without a question yet.
  ///
  /// @param what the expected event, for the message
  public ConditionFactory await(String what) {
    return Await.await(what, manner.limit, manner.pace);
  }

  /// Begins a session of the shell agent, which runs its messages as scripts.
  public SessionHandle create(String script) {
    return create("shell", script);
  }

  public SessionHandle create(String agent, String message) {
    return create(agent, message, Map.of());
  }

  public SessionHandle create(String script, Map<String, ?> work) {
    return create("shell", script, work);
  }

  /// Begins a session with further fields beside its message, such as files.
  public SessionHandle create(String agent, String message, Map<String, ?> work) {
    Map<String, Object> body = new HashMap<>(work);
    body.put("agent_name", agent);
    body.put("message", message);
    return new SessionHandle(this, post("/sessions", body).expect(201).json());
  }

  /// Decides a request as it was read, unless the decision names another fingerprint.
  public ApiResponse decide(JsonNode request, Map<String, ?> decision) {
    Map<String, Object> body = new HashMap<>(decision);
    body.putIfAbsent("fingerprint", request.path("fingerprint").asText());
    return post(request.at("/_links/decision/href").asText(), body);
  }

  public ApiResponse get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  public ApiResponse put(String path, Object body) {
    return send("PUT", path, text(body));
  }

  public ApiResponse post(String path, Object body, String... headers) {
    return send("POST", path, text(body), headers);
  }

  public ApiResponse patch(String path, Object body) {
    return send("PATCH", path, text(body));
  }

  public ApiResponse delete(String path) {
    return send("DELETE", path, null);
  }

  /// Sends a request unchanged; a patient client repeats it as long as the answer is 429.
  public ApiResponse send(String method, String path, @Nullable String body, String... headers) {
    return patiently(() -> sendOnce(method, path, body, headers));
  }

  public ApiResponse sendOnce(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest request = request(method, path, body, headers);
    ApiResponse answer = HttpTransport.answer(request);
    manner.observer.saw(this, request, body, answer);
    return answer;
  }

  /// Sends a request that is not shown to the observer.
  public ApiResponse sendUnchecked(String method, String path) {
    return patiently(() -> HttpTransport.answer(request(method, path, null)));
  }

  /// Sends a body of bytes, which is not shown to the observer.
  public ApiResponse post(String path, byte[] body, String... headers) {
    return patiently(() ->
        HttpTransport.answer(
            HttpRequest.newBuilder(request("POST", path, "", headers), (_, _) -> true)
                .POST(BodyPublishers.ofByteArray(body))
                .build()));
  }

  /// The answer with its body as bytes.
  public HttpResponse<byte[]> bytes(String path, String... headers) {
    return HttpTransport.exchange(request("GET", path, null, headers), BodyHandlers.ofByteArray());
  }

  public static String text(Object body) {
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  public static String unknownId() {
    return UUID.randomUUID().toString();
  }

  private ApiResponse patiently(Supplier<ApiResponse> request) {
    ApiResponse answer = request.get();
    while (manner.patient && answer.status() == 429) {
      LockSupport.parkNanos(
          Duration.ofSeconds(Long.parseLong(answer.header("Retry-After"))).toNanos());
      answer = request.get();
    }
    return answer;
  }

  private HttpRequest request(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request = HttpTransport.request(path.startsWith("/") ? base + path : path);
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (!authorizations.isEmpty()) {
      int next = Math.floorMod(turn.getAndIncrement(), authorizations.size());
      request.header("Authorization", authorizations.get(next));
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return request.build();
  }
}
