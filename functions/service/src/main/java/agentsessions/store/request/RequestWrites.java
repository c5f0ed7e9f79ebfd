package agentsessions.store.request;

import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.request.Request;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Shards;
import agentsessions.table.Write;
import agentsessions.table.item.RequestItem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The writes of a request and of its pointer in the lists of its workspace: one of those that are
/// pending, one of those that are no more.
public final class RequestWrites {
  private static final Schema POINTER = new Schema();

  /// The session of the request.
  private static final Attribute<SessionId> SESSION =
      POINTER.attribute("session", AttributeFormat.SESSION);

  /// Makes a pending request. The sweep has what waits after a turn expire, and a turn that is
  /// parked; a call's runner that call.
  public static List<Write> made(Request request, boolean fourEyes) {
    return made(request, fourEyes, Optional.empty());
  }

  /// The same, where the turn may be parked for the call of this name.
  public static List<Write> made(Request request, boolean fourEyes, Optional<String> call) {
    Change item = item(request, fourEyes);
    call.ifPresent(name -> item.set(RequestItem.CALL, name));
    return made(request, item);
  }

  /// The same of what the end of a turn or of a job leaves.
  ///
  /// @param asker the API key for which that ran
  public static List<Write> left(Request request, boolean fourEyes, String asker) {
    Change item = item(request, fourEyes);
    if (fourEyes) {
      item.set(RequestItem.ASKER, asker);
    }
    return made(request, item);
  }

  private static Change item(Request request, boolean fourEyes) {
    Change item = RequestItem.put(request);
    if (request.kind().isClosing()) {
      item.due(Shards.live(request.turn().id()), request.expiresAt());
    }
    if (fourEyes) {
      item.set(RequestItem.FOUR_EYES, true);
    }
    return item;
  }

  private static List<Write> made(Request request, Change item) {
    SessionKey session = request.turn().sessionKey();
    Layout.Key pointer =
        Layout.requestPointer(session.workspace(), true, request.createdAt(), request.id());
    return List.of(item.put(), pointer(pointer, session).overwrite());
  }

  /// A change of a pending request, which is so no longer: it is decided or has expired.
  public static Change over(SessionKey session, Request request) {
    Change item = over(session, request.id(), request.status());
    return request.decision() == null ? item : RequestItem.decided(item, request.decision());
  }

  private static Change over(SessionKey session, RequestId request, Request.Status status) {
    return RequestItem.change(session, request)
        .set(RequestItem.STATUS, status)
        .when("#status = :pending")
        .with("pending", RequestItem.STATUS, Request.Status.PENDING);
  }

  /// Lists the request that a turn, or a session after its turn, waited for among those that are
  /// pending no more.
  public static List<Write> moved(SessionKey session, Turn.Held held) {
    Layout.Key done = pointer(session, false, held);
    return List.of(
        Change.of(pointer(session, true, held)).delete(), pointer(done, session).overwrite());
  }

  /// The same for what waits after a turn, for which the session is listed no more.
  public static List<Write> moved(Session session, Turn.Held closing) {
    Change listed = Change.of(Layout.awaitingDecision(session.key(), session.createdAt()));
    return Stream.concat(moved(session.key(), closing).stream(), Stream.of(listed.delete()))
        .toList();
  }

  /// Closes the request that a turn is held for, since the turn ends; nothing if it is not held.
  public static List<Write> closed(Turn turn) {
    return over(turn, Request.Status.CLOSED);
  }

  /// Has the request expire for which a turn is parked, since the turn ends.
  public static List<Write> expired(Turn turn) {
    return over(turn, Request.Status.EXPIRED);
  }

  private static List<Write> over(Turn turn, Request.Status status) {
    SessionKey session = turn.key().sessionKey();
    return turn.held().stream()
        .flatMap(held ->
            Stream.concat(
                Stream.of(over(session, held.request(), status).update()),
                moved(session, held).stream()))
        .toList();
  }

  /// Closes the request that waits after a session's turn, since another turn begins, or the
  /// session is deleted; nothing if none is pending.
  public static List<Write> closed(Session session) {
    return session.closingRequest().stream()
        .flatMap(closing ->
            Stream.concat(
                Stream.of(
                    over(session.key(), closing.request(), Request.Status.CLOSED)
                        .notDue()
                        .update()),
                moved(session, closing).stream()))
        .toList();
  }

  /// The pointers that a request may have.
  ///
  /// @param request its item, of which the time of its creation is enough
  public static List<Layout.Key> pointers(Item request) {
    return Stream.of(true, false)
        .map(pending ->
            Layout.requestPointer(
                request.key().workspace(),
                pending,
                request.get(RequestItem.CREATED),
                request.key().request()))
        .toList();
  }

  /// The session of a pointer's request.
  static SessionKey sessionKey(Item pointer) {
    return new SessionKey(pointer.key().workspace(), pointer.get(SESSION));
  }

  private static Layout.Key pointer(SessionKey session, boolean pending, Turn.Held held) {
    return Layout.requestPointer(session.workspace(), pending, held.createdAt(), held.request());
  }

  private static Change pointer(Layout.Key key, SessionKey session) {
    return POINTER.change(key).set(SESSION, session.id());
  }

  private RequestWrites() {}
}
