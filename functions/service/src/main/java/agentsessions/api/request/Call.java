package agentsessions.api.request;

import agentsessions.session.Refusal;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// One request of a client whose key was good. A controller method that wants one cannot be reached
/// without a key: credentials are an argument.
///
/// The workspace comes from the key alone, `baseUrl` (without `/rest/v1`) from the deployment
/// alone; nothing a client sends changes either. `runnerBaseUrl` (without `/runner/v1`) is where
/// the turn's runner finds the service.
@SuppressWarnings("ArrayRecordComponent") // calls are never compared
public record Call(
    Workspace workspace,
    String keyId,
    String baseUrl,
    String runnerBaseUrl,
    Map<String, List<String>> query,
    Map<String, String> headers,
    byte[] body) {

  /// What may be kept, but must be asked for again by its tag before it is used: a session can be
  /// deleted.
  public static final String REVALIDATE = "private, no-cache";

  public Call {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
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

  /// A session of the caller's workspace, be it there or not.
  public SessionKey session(String id) {
    return new SessionKey(
        workspace,
        SessionId.parse(id).orElseThrow(() -> Refusal.invalid("session_id", "must be a UUID")));
  }

  public static TurnId threadId(String text) {
    return TurnId.parse(text).orElseThrow(() -> Refusal.invalid("thread_id", "must be a UUID"));
  }
}
