package agentsessions.api;

import agentsessions.aws.History;
import agentsessions.aws.Sessions;
import agentsessions.aws.Turns;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.SessionId;
import agentsessions.session.Stamp;
import agentsessions.session.Turn;
import agentsessions.session.TurnId;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a client reads of a conversation: the history of a session, of one thread, and the reply
/// link, which is polled.
@Controller("/rest/v1/sessions/{session_id}")
class MessagesController {
  private final Sessions sessions;
  private final Turns turns;
  private final History history;
  private final Clock clock;

  MessagesController(Sessions sessions, Turns turns, History history, Clock clock) {
    this.sessions = sessions;
    this.turns = turns;
    this.history = history;
    this.clock = clock;
  }

  @Get("/messages")
  Wire.MessagePage ofSession(Call call, String session_id) {
    SessionId id = Call.sessionId(session_id);
    MessageFilter filter = MessageFilter.read(call.parameters(), call.links().messages(id));
    Optional<TurnId> thread = call.parameters().one("thread_id").map(Call::threadId);
    if (thread.isPresent()) {
      return ofThread(call, id, thread.get(), filter);
    }
    Session session =
        sessions.load(call.workspace(), id).orElseThrow(() -> Refusal.notFound("Session"));
    Turn current = turn(call, id, session.currentTurn());
    return filter.page(
        read(call, current, filter, Stamp.ZERO), history, Optional.empty(), call, clock);
  }

  @Get("/threads/{thread_id}/messages")
  Wire.MessagePage ofThread(Call call, String session_id, String thread_id) {
    SessionId id = Call.sessionId(session_id);
    TurnId thread = Call.threadId(thread_id);
    MessageFilter filter =
        MessageFilter.read(call.parameters(), call.links().threadMessages(id, thread));
    return ofThread(call, id, thread, filter);
  }

  private Wire.MessagePage ofThread(Call call, SessionId id, TurnId thread, MessageFilter filter) {
    Turn turn = turns.load(call.workspace(), id, thread).orElseThrow(() -> missing(call, id));
    List<Message> found =
        filter.kinds().equals(Set.of(MessageKind.FINAL))
            ? closing(turn, filter)
            : all(call, turn, filter);
    return filter.page(found, history, Optional.of(turn), call, clock);
  }

  /// The hottest path: one read while the turn is live.
  private List<Message> closing(Turn turn, MessageFilter filter) {
    if (turn.live()) {
      return List.of();
    }
    if (!turn.status().spoke()) {
      return visible(turn, List.of());
    }
    Message closing = history.closing(turn).orElseThrow(() -> Refusal.notFound("Session"));
    return filter.covers(closing.stamp()) ? List.of(closing) : List.of();
  }

  private List<Message> all(Call call, Turn turn, MessageFilter filter) {
    Stamp before = turn.firstStamp().plusMicros(-1);
    return visible(turn, read(call, turn, filter, before));
  }

  /// A live turn's session is there; that of an ended one may have been deleted.
  private List<Message> visible(Turn turn, List<Message> messages) {
    if (!turn.live() && sessions.load(turn.workspace(), turn.sessionId()).isEmpty()) {
      throw Refusal.notFound("Session");
    }
    return messages;
  }

  private List<Message> read(Call call, Turn latest, MessageFilter filter, Stamp before) {
    History.Range range = filter.range(before, latest.lastStamp());
    return history.messages(call.workspace(), latest.sessionId(), latest, range);
  }

  private Turn turn(Call call, SessionId id, TurnId thread) {
    return turns.load(call.workspace(), id, thread).orElseThrow(() -> Refusal.notFound("Session"));
  }

  private Refusal missing(Call call, SessionId id) {
    return Refusal.notFound(sessions.load(call.workspace(), id).isPresent() ? "Thread" : "Session");
  }
}
