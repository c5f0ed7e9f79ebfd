package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.table.Table;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The life of a request: a runner asks, a person decides, or it expires. (It is closed with its
/// turn: `Endings`, `intake.Succession`.)
@Singleton
public final class Decisions {
  private final Table table;

  public Decisions(Table table) {
    this.table = table;
  }

  /// A call that is asked about.
  ///
  /// @param call names it within its turn
  public record Call(String call, String title, Request.Tool tool, String fingerprint) {}

  /// Makes a pending request of a call and holds the turn, or returns the one that was made before;
  /// one that a grant allows is decided at once. Empty if the turn is no longer this runner's.
  public Optional<Request> ask(Turn turn, Call call) {
    throw new UnsupportedOperationException(table + " " + turn + call);
  }

  /// A person's decision.
  ///
  /// @param fingerprint of the request that was decided upon; null: whatever it is
  /// @param keyId the API key that decides
  public record Wanted(
      Decision.Word word, @Nullable String note, @Nullable String fingerprint, String keyId) {}

  /// Decides a request; the same decision again changes nothing. Empty if there is no such request.
  ///
  /// @throws agentsessions.session.Refusal `FORBIDDEN` where this key may not decide it (four
  ///   eyes), `REQUEST_CHANGED`, `REQUEST_CLOSED`, `ALREADY_DECIDED`, checked in this order
  public Optional<Request> decide(SessionKey session, RequestId id, Wanted wanted) {
    throw new UnsupportedOperationException();
  }

  /// Expires a request of this runner's turn that nobody has decided in time, and returns what it
  /// is now. Empty if the turn is no longer this runner's or there is no such request.
  public Optional<Request> expire(Turn turn, RequestId id) {
    throw new UnsupportedOperationException();
  }
}
