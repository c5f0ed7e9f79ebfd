package agentsessions.table.item;

import agentsessions.rule.Question;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.repository.PushJob;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.request.RequestedPush;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The item of a request for a decision. It is put whole when it is asked; then it becomes decided,
/// expired or closed, once.
public final class RequestItem {
  private static final ItemSchema<RequestedPush> PUSH_SCHEMA = new ItemSchema<>(RequestItem::push);
  private static final Attribute<PushJob.Target> TARGET =
      PUSH_SCHEMA.part("target", CheckoutMap.TARGET_FORMAT, RequestedPush::target);
  private static final Attribute<String> URL =
      PUSH_SCHEMA.part("url", AttributeFormat.TEXT, RequestedPush::url);
  private static final Attribute<String> PATH =
      PUSH_SCHEMA.part("path", AttributeFormat.TEXT, RequestedPush::path);
  private static final Attribute<String> BRANCH =
      PUSH_SCHEMA.part("branch", AttributeFormat.TEXT, RequestedPush::branch);
  private static final Attribute<String> HEAD =
      PUSH_SCHEMA.part("head", AttributeFormat.TEXT, RequestedPush::head);
  private static final Attribute<String> BASE =
      PUSH_SCHEMA.part("base", AttributeFormat.TEXT, RequestedPush::base);
  private static final Attribute<String> PATCH =
      PUSH_SCHEMA.part("patch", AttributeFormat.TEXT, RequestedPush::patch);
  private static final Attribute<String> TREE =
      PUSH_SCHEMA.part("tree", AttributeFormat.TEXT, RequestedPush::tree);

  private static final ItemSchema<Request> SCHEMA =
      new ItemSchema<>(
          request -> Layout.request(request.turn().sessionKey(), request.id()),
          RequestItem::request);
  private static final Attribute<TurnId> TURN =
      SCHEMA.part("turn", AttributeFormat.TURN, request -> request.turn().id());
  public static final Attribute<Request.Status> STATUS =
      SCHEMA.part("status", AttributeFormat.name(Request.Status.class), Request::status);
  private static final Attribute<String> TITLE =
      SCHEMA.part("title", AttributeFormat.TEXT, Request::title);

  /// Absent where it is for a tool.
  private static final Attribute<ArtifactId> PLAN =
      SCHEMA.part("plan", AttributeFormat.ARTIFACT, Request::plan);

  private static final Attribute<String> TOOL =
      SCHEMA.part("tool", AttributeFormat.TEXT, ofTool(Request.Tool::name));
  private static final Attribute<ToolPermissions.Kind> KIND =
      SCHEMA.part(
          "kind", AttributeFormat.name(ToolPermissions.Kind.class), ofTool(Request.Tool::kind));
  private static final Attribute<String> INPUT =
      SCHEMA.part("input", AttributeFormat.TEXT, ofTool(Request.Tool::input));
  private static final Attribute<List<Question>> QUESTIONS =
      SCHEMA.part(
          "questions",
          AttributeFormat.list(QuestionFormat.QUESTION),
          request -> request.questions().isEmpty() ? null : request.questions());
  private static final Attribute<List<RequestedPush>> PUSHES =
      SCHEMA.part(
          "pushes",
          AttributeFormat.list(PUSH_SCHEMA.format()),
          request -> request.pushes().isEmpty() ? null : request.pushes());
  private static final Attribute<String> FINGERPRINT =
      SCHEMA.part("fingerprint", AttributeFormat.TEXT, Request::fingerprint);
  public static final Attribute<Stamp> CREATED =
      SCHEMA.part("created", AttributeFormat.STAMP, Request::createdAt);
  private static final Attribute<Instant> EXPIRES =
      SCHEMA.part("expires", AttributeFormat.INSTANT, Request::expiresAt);
  private static final Attribute<Decision.Word> DECISION =
      SCHEMA.part("decision", AttributeFormat.name(Decision.Word.class), of(Decision::word));
  private static final Attribute<String> NOTE =
      SCHEMA.part("note", AttributeFormat.TEXT, of(Decision::note));
  private static final Attribute<Map<String, List<String>>> ANSWERS =
      SCHEMA.part(
          "answers",
          AttributeFormat.map(AttributeFormat.NAMES),
          of(decision -> decision.answers().isEmpty() ? null : decision.answers()));

  /// The API key that decided.
  private static final Attribute<String> KEY_ID =
      SCHEMA.part("key_id", AttributeFormat.TEXT, of(Decision::keyId));

  private static final Attribute<Instant> DECIDED_AT =
      SCHEMA.part("decided_at", AttributeFormat.INSTANT, of(Decision::at));

  /// Whether it needs four eyes, by the permissions of its turn.
  public static final Attribute<Boolean> FOUR_EYES =
      SCHEMA.attribute("four_eyes", AttributeFormat.FLAG);

  /// The API key for which the turn ran that has left it, or the job; where it needs four eyes.
  public static final Attribute<String> ASKER = SCHEMA.attribute("asker", AttributeFormat.TEXT);

  /// The name of its call within the turn, where the turn can be parked for it.
  public static final Attribute<String> CALL = SCHEMA.attribute("call", AttributeFormat.TEXT);

  public static Request read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Request request) {
    return SCHEMA.put(request);
  }

  public static Change change(SessionKey session, RequestId request) {
    return SCHEMA.change(Layout.request(session, request));
  }

  /// Adds a decision to a change.
  public static Change decided(Change change, Decision decision) {
    change.set(DECISION, decision.word()).set(DECIDED_AT, decision.at());
    if (decision.note() != null) {
      change.set(NOTE, decision.note());
    }
    if (!decision.answers().isEmpty()) {
      change.set(ANSWERS, decision.answers());
    }
    if (decision.keyId() != null) {
      change.set(KEY_ID, decision.keyId());
    }
    return change;
  }

  private static Request request(Item item) {
    return new Request(
        item.key().request(),
        item.key().sessionKey().turn(item.get(TURN)),
        item.get(STATUS),
        item.get(TITLE),
        item.has(TOOL) ? new Request.Tool(item.get(TOOL), item.get(KIND), item.get(INPUT)) : null,
        item.get(QUESTIONS, List.of()),
        item.find(PLAN),
        item.get(PUSHES, List.of()),
        item.get(FINGERPRINT),
        item.get(CREATED),
        item.get(EXPIRES),
        item.has(DECISION) ? decision(item) : null);
  }

  private static RequestedPush push(Item item) {
    return new RequestedPush(
        item.get(TARGET),
        item.get(URL),
        item.get(PATH),
        item.get(BRANCH),
        item.find(HEAD),
        item.find(BASE),
        item.get(PATCH),
        item.find(TREE));
  }

  private static Decision decision(Item item) {
    return new Decision(
        item.get(DECISION),
        item.find(NOTE),
        item.get(ANSWERS, Map.of()),
        item.find(KEY_ID),
        item.get(DECIDED_AT));
  }

  private static <V> Function<Request, @Nullable V> ofTool(Function<Request.Tool, V> part) {
    return request -> request.tool() == null ? null : part.apply(request.tool());
  }

  private static <V> Function<Request, @Nullable V> of(Function<Decision, @Nullable V> part) {
    return request -> request.decision() == null ? null : part.apply(request.decision());
  }

  private RequestItem() {}
}
