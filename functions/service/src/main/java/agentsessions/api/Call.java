package agentsessions.api;

import agentsessions.session.Refusal;
import agentsessions.session.SessionId;
import agentsessions.session.SessionKey;
import agentsessions.session.TurnId;
import agentsessions.session.Workspace;
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
record Call(
    Workspace workspace,
    String keyId,
    String baseUrl,
    String runnerBaseUrl,
    Map<String, List<String>> query,
    Map<String, String> headers,
    byte[] body) {

  /// What may be kept, but must be asked for again by its tag before it is used: a session can be
  /// deleted.
  static final String REVALIDATE = "private, no-cache";

  Call {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  Links links() {
    return new Links(baseUrl);
  }

  Query parameters() {
    return new Query(query);
  }

  /// A session of the caller's workspace, be it there or not.
  SessionKey session(String id) {
    return new SessionKey(
        workspace,
        SessionId.parse(id).orElseThrow(() -> Refusal.invalid("session_id", "must be a UUID")));
  }

  static TurnId threadId(String text) {
    return TurnId.parse(text).orElseThrow(() -> Refusal.invalid("thread_id", "must be a UUID"));
  }
}
