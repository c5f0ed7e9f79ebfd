package agentsessions.api.messages;

import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.authorizer.Scope;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.store.message.History;
import agentsessions.store.message.NumberedPages;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.table.item.TurnRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The endpoints that read messages: the history of a session, that of one thread, and the reply
/// link, which clients poll.
@Controller("/rest/v1/sessions/{session_id}")
class MessagesController {
  private final Sessions sessions;
  private final Turns turns;
  private final History history;
  private final NumberedPages pages;
  private final Clock clock;

  MessagesController(
      Sessions sessions, Turns turns, History history, NumberedPages pages, Clock clock) {
    this.sessions = sessions;
    this.turns = turns;
    this.history = history;
    this.pages = pages;
    this.clock = clock;
  }

  @Get("/messages")
  @NeedsScope(Scope.READ)
  HttpResponse<MessagePage> ofSession(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    MessageFilter filter = MessageFilter.read(call.parameters(), call.links().messages(key.id()));
    Optional<TurnId> thread = call.parameters().one("thread_id").map(Call::listedThread);
    if (thread.isPresent()) {
      return thread
          .filter(id -> !id.isJob())
          .flatMap(id -> ofThread(call, key.turn(id), filter))
          .orElseGet(() -> HttpResponse.ok(ofNobody(call, key, filter)));
    }
    return HttpResponse.ok(
        filter.page().isPresent() ? numbered(call, key, filter) : whole(call, key, filter));
  }

  private MessagePage whole(Call call, SessionKey key, MessageFilter filter) {
    Session session = sessions.load(key).orElseThrow(() -> Refusal.notFound("Session"));
    return filter.page(
        session.working() ? live(session, filter) : idle(session, filter),
        history,
        session.createdAt(),
        Optional.empty(),
        call,
        clock);
  }

  /// The messages of a live turn: only the turn's own record knows how far they go.
  private List<Message> live(Session session, MessageFilter filter) {
    return read(
        turns.load(session.current()).orElseThrow(() -> Refusal.notFound("Session")),
        filter,
        Stamp.ZERO);
  }

  private List<Message> idle(Session session, MessageFilter filter) {
    return history.messages(session, filter.range(Stamp.ZERO, session.turns().lastStamp()));
  }

  @Get("/threads/{thread_id}/messages")
  @NeedsScope(Scope.READ)
  HttpResponse<MessagePage> ofThread(Call call, String session_id, String thread_id) {
    SessionKey key = call.sessionKey(session_id);
    TurnId thread = Call.threadId(thread_id);
    MessageFilter filter =
        MessageFilter.read(call.parameters(), call.links().threadMessages(key.id(), thread));
    return ofThread(call, key.turn(thread), filter).orElseThrow(() -> missing(key));
  }

  private Optional<HttpResponse<MessagePage>> ofThread(
      Call call, TurnKey thread, MessageFilter filter) {
    return filter.page().isPresent()
        ? pages
            .counted(thread)
            .map(counted ->
                ofThread(counted.thread().orElseThrow(), numbered(call, counted, filter)))
        : turns.find(thread).map(row -> ofThread(row.turn(), whole(call, row, filter)));
  }

  /// The messages of a final thread never change: its page may be cached, and revalidated by its
  /// `ETag`.
  private static HttpResponse<MessagePage> ofThread(Turn turn, MessagePage page) {
    return turn.live()
        ? HttpResponse.ok(page)
        : HttpResponse.ok(page).header(HttpHeaders.CACHE_CONTROL, Call.REVALIDATE);
  }

  private MessagePage whole(Call call, TurnRow row, MessageFilter filter) {
    Turn turn = row.turn();
    List<Message> found =
        filter.kinds().equals(Set.of(MessageKind.FINAL))
            ? closing(row).filter(message -> filter.covers(message.stamp())).stream().toList()
            : row.begun()
                ? read(turn, filter, turn.firstStamp().plusMicros(-1))
                : waiting(turn, filter);
    return filter.page(
        found, history, turn.stamps().sessionCreated(), Optional.of(turn), call, clock);
  }

  /// The page of a filter by an unknown thread is empty.
  private MessagePage ofNobody(Call call, SessionKey key, MessageFilter filter) {
    Stamp created = sessions.load(key).orElseThrow(() -> Refusal.notFound("Session")).createdAt();
    return filter.page().isPresent()
        ? filter.page(
            new NumberedPages.Page(0, List.of()), history, created, Optional.empty(), call, clock)
        : filter.page(List.of(), history, created, Optional.empty(), call, clock);
  }

  private MessagePage numbered(Call call, SessionKey key, MessageFilter filter) {
    return pages
        .counted(key)
        .map(counted -> numbered(call, counted, filter))
        .orElseThrow(() -> Refusal.notFound("Session"));
  }

  private MessagePage numbered(Call call, NumberedPages.Counted counted, MessageFilter filter) {
    if (counted.isTooLong(filter.kinds())) {
      throw Refusal.invalid("page", "cannot be counted in so long a history; follow _links.next");
    }
    NumberedPages.Page found =
        counted.hasBegun()
            ? pages.page(counted, filter.wanted()).orElseThrow(() -> Refusal.notFound("Session"))
            : numbered(waiting(counted.thread().orElseThrow(), filter), filter);
    return filter.page(found, history, counted.created(), counted.thread(), call, clock);
  }

  private static NumberedPages.Page numbered(List<Message> all, MessageFilter filter) {
    boolean isShown = filter.wanted().from() == 0;
    return new NumberedPages.Page(all.size(), isShown ? all : List.of());
  }

  private List<Message> waiting(Turn turn, MessageFilter filter) {
    return filter.kinds().contains(MessageKind.USER)
        ? history.waiting(turn).filter(message -> filter.covers(message.stamp())).stream().toList()
        : List.of();
  }

  /// The hottest path: nothing more is read, unless for a long reply.
  private Optional<Message> closing(TurnRow row) {
    return row.turn().status().spoke()
        ? row.closing().or(() -> Optional.of(written(row.turn())))
        : Optional.empty();
  }

  private Message written(Turn turn) {
    return history.closing(turn).orElseThrow(() -> Refusal.notFound("Session"));
  }

  private List<Message> read(Turn latest, MessageFilter filter, Stamp before) {
    History.Range range = filter.range(before, latest.lastStamp());
    return history.messages(latest, range);
  }

  private Refusal missing(SessionKey key) {
    return Refusal.notFound(sessions.load(key).isPresent() ? "Thread" : "Session");
  }
}
