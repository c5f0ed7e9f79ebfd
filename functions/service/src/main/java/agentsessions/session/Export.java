package agentsessions.session;

import agentsessions.session.id.SessionKey;
import java.time.Instant;

/// One file with all that a session is, as it was changed last. `baseUrl` is what its links begin
/// with, without `/rest/v1`; `attempt` counts from 1 how often it was begun.
public record Export(ExportId id, SessionKey session, String baseUrl, int attempt, State state) {

  /// How far it has come.
  public sealed interface State {
    /// Its builder is believed to be alive until then.
    record Working(Instant until) implements State {}

    /// It can be downloaded.
    record Ready() implements State {}

    /// Nobody is building it, and it is not there.
    record Failed() implements State {}
  }

  /// As it is first asked for.
  public static Export of(Session session, String baseUrl, Instant until) {
    return new Export(ExportId.of(session), session.key(), baseUrl, 1, new State.Working(until));
  }

  /// Begun once more.
  public Export again(Instant until) {
    return new Export(id, session, baseUrl, attempt + 1, new State.Working(until));
  }

  /// What it is at `now`: a builder that was silent for too long has failed.
  public State at(Instant now) {
    return state instanceof State.Working(Instant until) && !now.isBefore(until)
        ? new State.Failed()
        : state;
  }

  /// Where it is kept: among what the session's agent made, so that it goes with the session. Each
  /// attempt has a place of its own, so that a late builder overwrites nothing.
  public String objectKey() {
    return "artifacts/%s/exports/%s-%d".formatted(session.id(), id, attempt);
  }
}
