package agentsessions.store.request;

import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.request.Grant;
import agentsessions.session.request.Request;
import agentsessions.table.Table;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The requests for decisions, and what decisions granted: their reads. `Decisions` changes them.
@Singleton
public final class Requests {
  private final Table table;

  public Requests(Table table) {
    this.table = table;
  }

  /// A part of a list, and the position from which to go on, if there is more.
  public record Page(List<Request> requests, Optional<String> next) {}

  public Optional<Request> find(SessionKey session, RequestId id) {
    throw new UnsupportedOperationException(table + " " + session + id);
  }

  /// The pending requests of a workspace, the oldest first, or those that are no more, the newest
  /// first.
  ///
  /// @param after the position where the page before ended
  public Page ofWorkspace(Workspace workspace, boolean pending, @Nullable String after, int most) {
    throw new UnsupportedOperationException();
  }

  /// All requests of a session, the newest first; at most 1,000.
  public List<Request> ofSession(SessionKey session) {
    throw new UnsupportedOperationException();
  }

  /// What decisions allowed for the rest of a session, the oldest first.
  public List<Grant> grants(SessionKey session) {
    throw new UnsupportedOperationException();
  }

  /// Removes a grant; false if there is none.
  public boolean revoke(SessionKey session, String fingerprint) {
    throw new UnsupportedOperationException();
  }
}
