package agentsessions.api.request;

import agentsessions.authorizer.KeyEnded;
import agentsessions.authorizer.Scope;
import agentsessions.session.Refusal;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.table.CallersKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/// One authenticated request of a client. A controller method that takes one cannot be reached
/// without a valid key: credentials are an argument.
///
/// The workspace comes from the key alone, `baseUrl` (without `/rest/v1`) from the deployment
/// alone; nothing a client sends changes either. `runnerBaseUrl` (without `/runner/v1`) is the
/// address at which a turn's runner reaches the service. `at` is the time of the request.
@SuppressWarnings("ArrayRecordComponent") // calls are never compared
public record Call(
    Workspace workspace,
    String keyId,
    Set<Scope> scopes,
    String baseUrl,
    String runnerBaseUrl,
    Map<String, List<String>> query,
    Map<String, String> headers,
    byte[] body,
    Instant at) {

  /// The `Cache-Control` of a response that may be cached, but must be revalidated by its `ETag`
  /// before it is used, because its session can be deleted.
  public static final String REVALIDATE = "private, no-cache";

  public Call {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
  }

  /// Refuses a request of which one part needs more than the scope of its route.
  ///
  /// @param rule the sentence that says so
  public void require(Scope scope, String rule) {
    if (!scope.isIn(scopes)) {
      throw Refusal.of(
          Refusal.Code.FORBIDDEN,
          "This key lacks the scope \"%s\": %s".formatted(scope.text(), rule));
    }
  }

  /// Changes what may be done, or decides. Nothing is changed where the caller's key has ended,
  /// also in the minute for which an authorizer may still let it pass.
  ///
  /// @throws KeyEnded if it has
  public <T> T authorized(Supplier<T> change) {
    try {
      return new CallersKey(keyId, at).during(change);
    } catch (KeyEnded ended) {
      AuditLog.log("key.refused", this, "id", keyId);
      throw ended;
    }
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  public Links links() {
    return new Links(baseUrl);
  }

  public Query parameters() {
    return new Query(query);
  }

  /// The key of a session in the caller's workspace, whether the session exists or not.
  public SessionKey sessionKey(String id) {
    return new SessionKey(
        workspace,
        SessionId.parse(id).orElseThrow(() -> Refusal.invalid("session_id", "must be a UUID")));
  }

  /// A job is no thread.
  public static TurnId threadId(String text) {
    TurnId id = listedThread(text);
    if (id.isJob()) {
      throw Refusal.notFound("Thread");
    }
    return id;
  }

  /// The thread by which a list is filtered. One that is unknown, or a job, has nothing in it.
  public static TurnId listedThread(String text) {
    return TurnId.parse(text).orElseThrow(() -> Refusal.invalid("thread_id", "must be a UUID"));
  }
}
