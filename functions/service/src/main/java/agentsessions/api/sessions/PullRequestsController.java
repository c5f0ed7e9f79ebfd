package agentsessions.api.sessions;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Scope;
import agentsessions.session.Idempotency;
import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Sha256;
import agentsessions.store.session.Sessions;
import agentsessions.turn.intake.PullRequestIntake;
import agentsessions.turn.intake.PullRequestIntake.Wanted;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Optional;

/// The endpoint by which a client asks for a pull request of a session's changes, afterwards. The
/// outcome is shown with the session's repositories.
@Controller("/rest/v1/sessions")
class PullRequestsController {
  private final PullRequestIntake intake;
  private final PullRequestFields fields;
  private final Sessions sessions;
  private final AcceptanceResponses responses;
  private final JsonMapper json;

  PullRequestsController(
      PullRequestIntake intake,
      PullRequestFields fields,
      Sessions sessions,
      AcceptanceResponses responses,
      JsonMapper json) {
    this.intake = intake;
    this.fields = fields;
    this.sessions = sessions;
    this.responses = responses;
    this.json = json;
  }

  /// A pull request that was accepted. Nothing that happens later is in it, so that a repeat gets
  /// the same.
  @Serdeable
  record Accepted(
      String sessionId, String path, String createdAt, @JsonProperty("_links") SessionLink links) {
    static Accepted of(Receipt receipt, String path, Links links) {
      CommonJson.Href session = new CommonJson.Href(links.session(receipt.turn().sessionId()));
      return new Accepted(
          receipt.turn().sessionId().toString(),
          path,
          CommonJson.time(receipt.stamp().instant()),
          new SessionLink(session));
    }
  }

  @Serdeable
  record SessionLink(CommonJson.Href session) {}

  @Post("/{session_id}/pull-requests")
  @NeedsScope(Scope.WRITE)
  HttpResponse<?> create(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    RequestBody body = RequestBody.read(json, call.body());
    String path = body.required("path");
    Optional<Session> session = sessions.load(key);
    Optional<Wanted> wanted = fields.read(body, path, key, session, call.keyId());
    body.check();
    String at = "/rest/v1/sessions/%s/pull-requests".formatted(key.id());
    Idempotency idempotency = AcceptanceResponses.idempotency(call, at, Sha256::hex);
    return responses.answer(
        intake.accept(key, wanted, call.runnerBaseUrl(), idempotency),
        receipt -> HttpResponse.accepted().body(Accepted.of(receipt, path, call.links())));
  }
}
