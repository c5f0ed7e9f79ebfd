package agentsessions.api.events;

import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.authorizer.Scope;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.Optional;

/// The endpoints for the events of a session or thread, as an event stream or as JSON.
@Controller("/rest/v1/sessions/{session_id}")
class EventsController {
  private final LiveEvents events;

  EventsController(LiveEvents events) {
    this.events = events;
  }

  @Get(value = "/events", produces = MediaType.ALL)
  @NeedsScope(Scope.READ)
  HttpResponse<?> ofSession(Call call, String session_id) {
    return answer(call, call.sessionKey(session_id), Optional.empty());
  }

  @Get(value = "/threads/{thread_id}/events", produces = MediaType.ALL)
  @NeedsScope(Scope.READ)
  HttpResponse<?> ofThread(Call call, String session_id, String thread_id) {
    return answer(call, call.sessionKey(session_id), Optional.of(Call.threadId(thread_id)));
  }

  private HttpResponse<?> answer(Call call, SessionKey key, Optional<TurnId> thread) {
    EventQuery query = EventQuery.read(call, key.id());
    EventResponse answer = events.follow(call.links(), key, thread, query);
    return query.isStream()
        ? HttpResponse.ok(answer.stream())
            .header("X-Accel-Buffering", "no")
            .contentType(EventQuery.STREAM)
        : HttpResponse.ok(answer.page()).contentType(MediaType.APPLICATION_JSON_TYPE);
  }
}
