package agentsessions.api.decisions;

import agentsessions.api.request.AuditLog;
import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Scope;
import agentsessions.rule.Question;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.request.Requests;
import agentsessions.store.session.Sessions;
import agentsessions.turn.intake.Decisions;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import java.util.List;
import java.util.Map;

/// The endpoints of who decides: the decision of a request, and the end of a grant.
@Controller("/rest/v1/sessions/{session_id}")
class DecisionsController {
  private static final int MOST_NOTE = 4000;
  private static final int MOST_ANSWERS = 16_000;
  private static final int FINGERPRINT = 64;

  private final Decisions decisions;
  private final Requests requests;
  private final Sessions sessions;
  private final JsonMapper json;

  DecisionsController(Decisions decisions, Requests requests, Sessions sessions, JsonMapper json) {
    this.decisions = decisions;
    this.requests = requests;
    this.sessions = sessions;
    this.json = json;
  }

  @Post("/requests/{request_id}/decision")
  @NeedsScope(Scope.DECIDE)
  SessionRequestBody decide(Call call, String session_id, String request_id) {
    SessionKey key = call.sessionKey(session_id);
    RequestId id = RequestsController.requestId(request_id);
    RequestBody body = RequestBody.read(json, call.body());
    Decisions.Wanted wanted = wanted(body, call.keyId());
    body.check();
    Request decided =
        call.authorized(() -> decisions.decide(key, id, wanted))
            .orElseThrow(() -> RequestsController.missing(sessions, key, "Request"));
    AuditLog.log("request.decided", call, "id", id.toString());
    return SessionRequestBody.of(decided, call.links(), json);
  }

  private static Decisions.Wanted wanted(RequestBody body, String keyId) {
    if (!body.has("decision")) {
      body.fault("decision", "is required");
    }
    // what is at fault is not decided, so any word stands in for it
    return new Decisions.Wanted(
        body.oneOf("decision", Decision.Word.class).orElse(Decision.Word.DENY),
        body.optional("note", MOST_NOTE).orElse(null),
        answers(body),
        body.optional("fingerprint", FINGERPRINT).orElse(null),
        keyId);
  }

  private static Map<String, List<String>> answers(RequestBody body) {
    Map<String, List<String>> answers = body.lists("answers", Question.MOST);
    int characters = answers.values().stream().flatMap(List::stream).mapToInt(String::length).sum();
    if (answers.size() > Question.MOST || characters > MOST_ANSWERS) {
      body.fault(
          "answers",
          "must be at most %d with %,d characters together".formatted(Question.MOST, MOST_ANSWERS));
    }
    return answers;
  }

  @Delete("/grants/{grant_id}")
  @NeedsScope(Scope.DECIDE)
  HttpResponse<?> revoke(Call call, String session_id, String grant_id) {
    SessionKey key = call.sessionKey(session_id);
    // no fingerprint: no part of a key
    if (!grant_id.matches("[0-9a-f]{%d}".formatted(FINGERPRINT))
        || !call.authorized(() -> requests.revoke(key, grant_id))) {
      throw RequestsController.missing(sessions, key, "Grant");
    }
    AuditLog.log("grant.revoked", call, "id", grant_id);
    return HttpResponse.noContent();
  }
}
