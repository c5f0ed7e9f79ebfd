package agentsessions.store.request;

import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.request.Request;
import agentsessions.session.request.SessionGrant;
import agentsessions.store.session.Sessions;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.GrantItem;
import agentsessions.table.item.RequestItem;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The requests for decisions, and what decisions granted: their reads, and the removal of a grant.
/// `turn` changes the requests, by `RequestWrites`.
@Singleton
public final class Requests {
  private static final int MOST = 1000;

  /// How many requests are expected on a page of 1 MB: an input may be 256 KiB long.
  private static final int FITTING = 50;

  /// The inputs of a session's requests that are read at once, in characters.
  private static final long MOST_INPUT = 8 << 20;

  private final Table table;

  public Requests(Table table) {
    this.table = table;
  }

  /// A part of a list, and the position from which to go on, if there is more.
  public record Page(List<Request> requests, Optional<String> next) {}

  /// A request of a session that was not deleted.
  public Optional<Request> find(SessionKey session, RequestId id) {
    Layout.Key meta = Layout.meta(session);
    Layout.Key key = Layout.request(session, id);
    Map<Layout.Key, Item> found = table.items(List.of(meta, key));
    return Sessions.visible(found.get(meta))
        .flatMap(_ -> Optional.ofNullable(found.get(key)))
        .map(RequestItem::read);
  }

  /// A request, whether its session was deleted or not.
  public Optional<Request> load(SessionKey session, RequestId id) {
    return table.item(Layout.request(session, id)).map(RequestItem::read);
  }

  /// The pending requests of a workspace, the oldest first, or those that are no more, the newest
  /// first.
  ///
  /// @param after the position where the page before ended
  public Page ofWorkspace(Workspace workspace, boolean pending, @Nullable String after, int most) {
    String list = Layout.requests(workspace, pending);
    String first = pending && after != null ? Layout.after(after) : Layout.LEAST;
    String last = pending || after == null ? Layout.GREATEST : Layout.before(after);
    List<Item> pointers = table.range(list, first, last, pending, most + 1);
    List<Item> page = pointers.subList(0, Math.min(most, pointers.size()));
    return new Page(
        requests(page).filter(one -> isPending(one) == pending).toList(),
        pointers.size() > most ? Optional.of(page.getLast().key().sk()) : Optional.empty());
  }

  /// Those of sessions that were not deleted.
  private Stream<Request> requests(List<Item> pointers) {
    Map<Layout.Key, Item> found =
        table.items(
            pointers.stream()
                .flatMap(pointer -> Stream.of(key(pointer), meta(pointer)))
                .distinct()
                .toList());
    return pointers.stream()
        .filter(pointer -> Sessions.visible(found.get(meta(pointer))).isPresent())
        .flatMap(pointer -> Stream.ofNullable(found.get(key(pointer))))
        .map(RequestItem::read);
  }

  private static Layout.Key key(Item pointer) {
    return Layout.request(RequestWrites.sessionKey(pointer), pointer.key().request());
  }

  private static Layout.Key meta(Item pointer) {
    return Layout.meta(RequestWrites.sessionKey(pointer));
  }

  private static boolean isPending(Request request) {
    return request.status() == Request.Status.PENDING;
  }

  /// Whether a workspace has this many pending requests, or more.
  public boolean hasPending(Workspace workspace, int most) {
    return table.keys(Layout.requests(workspace, true), most).size() >= most;
  }

  /// How many turns of a workspace are parked, each for a pending request; of these, `most` are
  /// looked at.
  public int parked(Workspace workspace, int most) {
    List<Layout.Key> sessions =
        table
            .range(Layout.requests(workspace, true), Layout.LEAST, Layout.GREATEST, true, most)
            .stream()
            .map(Requests::meta)
            .distinct()
            .toList();
    List<Layout.Key> turns =
        table.items(sessions).values().stream()
            .map(SessionItem::read)
            .filter(Session::working)
            .map(session -> Layout.turn(session.current()))
            .toList();
    return Math.toIntExact(
        table.items(turns).values().stream()
            .filter(turn -> TurnItem.read(turn).state() instanceof Turn.State.Parked)
            .count());
  }

  /// The requests of a session, the newest first: all, or at most 1,000 of them, and fewer where
  /// their inputs are very long. The one that is pending is always there.
  public List<Request> ofSession(SessionKey session) {
    Iterator<Item> items =
        table.each(
            Layout.partition(session),
            Layout.REQUESTS,
            Layout.REQUESTS + Layout.GREATEST,
            true,
            MOST,
            FITTING);
    List<Request> all = new ArrayList<>();
    for (long input = 0; input < MOST_INPUT && items.hasNext(); ) {
      Request request = RequestItem.read(items.next());
      input += request.input().length();
      all.add(request);
    }
    if (items.hasNext() || all.size() == MOST) {
      pending(session).filter(request -> !all.contains(request)).ifPresent(all::add);
    }
    return all.stream().sorted(Comparator.comparing(Request::createdAt).reversed()).toList();
  }

  /// The request that a session waits for, during its turn or after it.
  private Optional<Request> pending(SessionKey key) {
    return table
        .item(Layout.meta(key))
        .map(SessionItem::read)
        .flatMap(
            session -> session.request().or(() -> session.closingRequest().map(Turn.Held::request)))
        .flatMap(request -> load(key, request));
  }

  /// What decisions allowed for the rest of a session, the oldest first; at most 1,000.
  public List<SessionGrant> grants(SessionKey session) {
    String last = Layout.GRANTS + Layout.GREATEST;
    return table.range(Layout.partition(session), Layout.GRANTS, last, true, MOST).stream()
        .map(GrantItem::read)
        .sorted(Comparator.comparing(SessionGrant::createdAt))
        .toList();
  }

  /// Removes a grant; false if there is none.
  public boolean revoke(SessionKey session, String fingerprint) {
    Change grant = Change.of(Layout.grant(session, fingerprint)).when("attribute_exists(#PK)");
    return table.write(List.of(grant.delete())).committed();
  }
}
