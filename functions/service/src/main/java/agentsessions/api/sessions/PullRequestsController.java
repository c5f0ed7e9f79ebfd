package agentsessions.api.sessions;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Scope;
import agentsessions.aws.Executions;
import agentsessions.session.Idempotency;
import agentsessions.session.Receipt;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Sha256;
import agentsessions.store.session.Sessions;
import agentsessions.turn.intake.PullRequestIntake;
import agentsessions.turn.intake.PullRequestIntake.Outcome;
import agentsessions.turn.intake.PullRequestIntake.Wanted;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The endpoint by which a client asks for a pull request of a session's changes, afterwards. The
/// outcome is shown with the session's repositories.
@Controller("/rest/v1/sessions")
class PullRequestsController {
  private static final Logger LOG = LoggerFactory.getLogger(PullRequestsController.class);

  private final PullRequestIntake intake;
  private final PullRequestFields fields;
  private final Sessions sessions;
  private final Executions executions;
  private final JsonMapper json;

  PullRequestsController(
      PullRequestIntake intake,
      PullRequestFields fields,
      Sessions sessions,
      Executions executions,
      JsonMapper json) {
    this.intake = intake;
    this.fields = fields;
    this.sessions = sessions;
    this.executions = executions;
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
    return switch (intake.accept(key, wanted, call.runnerBaseUrl(), idempotency)) {
      case Outcome.Accepted accepted -> {
        start(accepted.job());
        yield answer(accepted.job().receipt(), path, call);
      }
      case Outcome.Replayed replayed ->
          AcceptanceResponses.replayed(answer(replayed.receipt(), path, call));
      case Outcome.KeyReused _ -> throw AcceptanceResponses.reused();
      case Outcome.NoSession _ -> throw Refusal.notFound("Session");
      case Outcome.Refused refused -> throw Refusal.of(refused.code(), refused.why());
    };
  }

  private static MutableHttpResponse<?> answer(Receipt receipt, String path, Call call) {
    return HttpResponse.accepted().body(Accepted.of(receipt, path, call.links()));
  }

  private void start(Turn job) {
    LOG.atInfo()
        .addKeyValue("session", job.sessionId())
        .addKeyValue("job", job.id())
        .log("pull_request.accepted");
    executions.start(job.key(), job.dispatch());
  }
}
