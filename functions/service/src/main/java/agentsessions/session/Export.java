package agentsessions.session;

import agentsessions.session.id.SessionKey;
import java.time.Instant;

/// A file with the whole content of a session as of its last change. `baseUrl` is the beginning of
/// the links in it, without `/rest/v1`; `attempt` counts its builds from 1.
public record Export(ExportId id, SessionKey sessionKey, String baseUrl, int attempt, State state) {

  /// The progress of an export.
  public sealed interface State {
    /// Its builder is believed to be alive until then.
    record Working(Instant until) implements State {}

    /// It can be downloaded.
    record Ready() implements State {}

    /// No builder is at work, and there is no file.
    record Failed() implements State {}
  }

  /// A new export, at its first request.
  public static Export of(Session session, String baseUrl, Instant until) {
    return new Export(ExportId.of(session), session.key(), baseUrl, 1, new State.Working(until));
  }

  /// The next attempt.
  public Export again(Instant until) {
    return new Export(id, sessionKey, baseUrl, attempt + 1, new State.Working(until));
  }

  /// Its state at `now`: a builder that was silent for too long has failed.
  public State at(Instant now) {
    return state instanceof State.Working(Instant until) && !now.isBefore(until)
        ? new State.Failed()
        : state;
  }

  /// The key of its object: under the artifacts of the session, so that it is deleted with them.
  /// Each attempt has a key of its own, so that a late builder overwrites nothing.
  public String objectKey() {
    return "artifacts/%s/exports/%s-%d".formatted(sessionKey.id(), id, attempt);
  }
}
