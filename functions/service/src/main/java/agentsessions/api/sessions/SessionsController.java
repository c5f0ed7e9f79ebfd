package agentsessions.api.sessions;

import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.api.workspace.WebhookFields;
import agentsessions.authorizer.Scope;
import agentsessions.session.Acceptance;
import agentsessions.session.Agent;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.NewSession;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.SessionWebhook;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.usage.Ceilings;
import agentsessions.store.session.Sessions;
import agentsessions.turn.Endings;
import agentsessions.turn.TurnQueue;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.UnofferedAgents;
import agentsessions.turn.intake.Intake;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The endpoints that change a session: create, follow-up, interrupt, change, delete.
@Controller("/rest/v1/sessions")
class SessionsController {
  private static final int MOST_TITLE = 200;

  /// The fields that change what may be done, and not only what is to be done.
  private static final List<String> RIGHTS = List.of("limits", "permissions", "webhook");

  private final Intake intake;
  private final Endings endings;
  private final TurnQueue queue;
  private final Sessions sessions;
  private final AcceptanceResponses responses;
  private final AgentCatalogue catalogue;
  private final UnofferedAgents absences;
  private final WorkFields work;
  private final WebhookFields webhooks;
  private final LimitFields limits;
  private final JsonMapper json;

  SessionsController(
      Intake intake,
      Endings endings,
      TurnQueue queue,
      Sessions sessions,
      AcceptanceResponses responses,
      AgentCatalogue catalogue,
      UnofferedAgents absences,
      WorkFields work,
      WebhookFields webhooks,
      LimitFields limits,
      JsonMapper json) {
    this.intake = intake;
    this.endings = endings;
    this.queue = queue;
    this.sessions = sessions;
    this.responses = responses;
    this.catalogue = catalogue;
    this.absences = absences;
    this.work = work;
    this.webhooks = webhooks;
    this.limits = limits;
    this.json = json;
  }

  @Post
  @NeedsScope(Scope.WRITE)
  HttpResponse<?> create(Call call) {
    RequestBody body = RequestBody.read(json, call.body());
    NewSession newSession = opening(body, call);
    List<String> ignored = body.checkAndWarn(PermissionFields.PERMISSIONS, PermissionFields.NAMES);
    Idempotency idempotency =
        AcceptanceResponses.idempotency(call, "/rest/v1/sessions", work.hash(body));
    Supplier<Acceptance> create =
        () -> intake.create(call.workspace(), newSession, call.runnerBaseUrl(), idempotency);
    boolean isOfRights = RIGHTS.stream().anyMatch(body::names);
    Acceptance acceptance = isOfRights ? call.authorized(create) : create.get();
    List<String> warnings = warnings(ignored, newSession);
    return responses.answer(
        acceptance,
        receipt ->
            AcceptanceResponses.created(
                    SessionBody.created(receipt, newSession, warnings, call.links()))
                .header(HttpHeaders.LOCATION, call.links().session(receipt.turn().sessionId())));
  }

  private List<String> warnings(List<String> ignored, NewSession session) {
    return Stream.concat(
            ignored.stream(), work.warnings(session, catalogue.find(session.agentName())).stream())
        .toList();
  }

  @Post("/{session_id}/messages")
  @NeedsScope(Scope.WRITE)
  HttpResponse<?> send(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    RequestBody body = RequestBody.read(json, call.body());
    FollowUp followUp = followUp(body, key, call.keyId());
    List<String> warnings = body.checkAndWarn();
    String path = "/rest/v1/sessions/%s/messages".formatted(key.id());
    Idempotency idempotency = AcceptanceResponses.idempotency(call, path, work.hash(body));
    Acceptance acceptance = intake.followUp(key, followUp, call.runnerBaseUrl(), idempotency);
    return responses.answer(
        acceptance,
        receipt ->
            AcceptanceResponses.created(
                MessageBody.sent(
                    followUp.accepted(receipt), followUp.message(), warnings, call.links())));
  }

  @Post("/{session_id}/interrupt")
  @NeedsScope(Scope.WRITE)
  HttpResponse<ThreadBody> interrupt(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    Endings.Cancellation wanted = cancellation(call);
    Turn turn = endings.cancel(key, wanted).orElseThrow(() -> Refusal.notFound("Session"));
    if (wanted.expected() != null && !wanted.expected().equals(turn.id())) {
      throw new Acceptance.ThreadChanged(turn.id()).refusal();
    }
    return HttpResponse.ok(ThreadBody.of(turn, call.links()));
  }

  private Endings.Cancellation cancellation(Call call) {
    if (call.body().length == 0) {
      return Endings.Cancellation.ALL;
    }
    RequestBody body = RequestBody.read(json, call.body());
    boolean keep = body.oneOf("queue", "keep").isPresent();
    TurnId expected = expected(body);
    body.check();
    return new Endings.Cancellation(keep, expected);
  }

  @Post("/{session_id}/threads/{thread_id}/cancel")
  @NeedsScope(Scope.WRITE)
  HttpResponse<ThreadBody> cancel(Call call, String session_id, String thread_id) {
    SessionKey key = call.sessionKey(session_id);
    return switch (queue.remove(key.turn(Call.threadId(thread_id)))) {
      case TurnQueue.Removal.Removed removed ->
          HttpResponse.ok(ThreadBody.of(removed.turn(), call.links()));
      case TurnQueue.Removal.Begun begun when begun.turn().live() ->
          throw Refusal.of(
              Refusal.Code.THREAD_STARTED,
              "The thread has started; interrupting the session ends it");
      case TurnQueue.Removal.Begun _ ->
          throw Refusal.of(Refusal.Code.THREAD_ENDED, "The thread has ended");
      case TurnQueue.Removal.None _ ->
          throw Refusal.notFound(sessions.load(key).isPresent() ? "Thread" : "Session");
    };
  }

  @Patch("/{session_id}")
  @NeedsScope(Scope.WRITE)
  SessionBody change(Call call, String session_id) {
    RequestBody body = RequestBody.read(json, call.body());
    boolean isOfPermissions = PermissionFields.isNamed(body);
    if (isOfPermissions) {
      call.require(Scope.DECIDE, "only a key that has it changes permissions");
    }
    SessionKey key = call.sessionKey(session_id);
    Optional<Session> known =
        isOfPermissions || LimitFields.asksOfSession(body) ? sessions.load(key) : Optional.empty();
    Optional<Agent> agent = known.flatMap(now -> catalogue.find(now.agentName()));
    Optional<ToolPermissions> before =
        isOfPermissions ? known.flatMap(sessions::permissions) : Optional.empty();
    Sessions.Patch patch =
        new Sessions.Patch(
            given(body, "title", body.optional("title", MOST_TITLE)),
            given(body, "metadata", body.pairs("metadata")),
            body.flag("is_archived"),
            limits.changed(body, "turn", known, agent),
            limits.changed(body, "session", known, agent),
            PermissionFields.changed(body, known.map(Session::agentName), agent, before));
    refuseUnoffered(body);
    body.check();
    Supplier<Optional<Sessions.Loaded>> change = () -> sessions.change(key, patch);
    boolean isOfRights = RIGHTS.stream().anyMatch(body::names);
    return (isOfRights ? call.authorized(change) : change.get())
        .map(loaded -> SessionBody.of(loaded, call.links()))
        .orElseThrow(() -> Refusal.notFound("Session"));
  }

  @Delete("/{session_id}")
  @NeedsScope(Scope.WRITE)
  HttpResponse<?> delete(Call call, String session_id) {
    if (!endings.delete(call.sessionKey(session_id))) {
      throw Refusal.notFound("Session");
    }
    return HttpResponse.noContent();
  }

  private NewSession opening(RequestBody body, Call call) {
    String agentName = offered(body);
    String message = body.message();
    Optional<String> title = body.optional("title", MOST_TITLE);
    Map<String, String> metadata = body.pairs("metadata");
    refuseUnoffered(body);
    SessionInputs inputs = work.ofSession(body, call.workspace(), catalogue.find(agentName));
    SessionWebhook hook = webhooks.own(body, call.baseUrl());
    Ceilings.OfSession most = limits.ofSession(body, catalogue.find(agentName));
    return new NewSession(
        agentName,
        message,
        title.orElse(null),
        metadata,
        inputs,
        hook,
        most,
        PermissionFields.ofSession(body, catalogue.find(agentName)),
        call.keyId());
  }

  /// The session is read only where the message asks for something of it.
  private FollowUp followUp(RequestBody body, SessionKey key, String keyId) {
    String message = body.message();
    TurnId expected = expected(body);
    Optional<Session> session =
        WorkFields.asksOfSession(body) || LimitFields.asksOfSession(body)
            ? sessions.load(key)
            : Optional.empty();
    Optional<Agent> agent = session.flatMap(known -> catalogue.find(known.agentName()));
    return work.ofMessage(
        body,
        key.workspace(),
        expected,
        message,
        session,
        agent,
        limits.ofMessage(body, session, agent),
        keyId);
  }

  private String offered(RequestBody body) {
    String name = body.required("agent_name");
    if (!name.isBlank() && catalogue.find(name).isEmpty()) {
      String offered =
          String.join(", ", catalogue.offered().stream().map(agent -> agent.name()).toList());
      String absence =
          absences
              .reason(name)
              .map(why -> "; %s is not offered here: %s".formatted(name, why))
              .orElse("");
      String choice =
          offered.isEmpty()
              ? "cannot be any: no agent can run here now"
              : "must be one of " + offered;
      body.fault("agent_name", choice + absence);
    }
    return name;
  }

  /// A client that asks for privacy must not believe that it has any.
  private static void refuseUnoffered(RequestBody body) {
    if (body.flag("is_private").orElse(false)) {
      body.fault("is_private", "must be false: every key of the workspace sees its sessions");
    }
    body.refuse("session_group_id", "must be null: there are no groups");
  }

  private static @Nullable TurnId expected(RequestBody body) {
    Optional<String> given = body.optional("if_thread_id", Integer.MAX_VALUE);
    Optional<TurnId> thread = given.flatMap(TurnId::parse);
    if (given.isPresent() && thread.isEmpty()) {
      body.fault("if_thread_id", "must be a UUID");
    }
    return thread.orElse(null);
  }

  private static <T> Optional<T> given(RequestBody body, String field, T value) {
    return body.names(field) ? Optional.of(value) : Optional.empty();
  }
}
