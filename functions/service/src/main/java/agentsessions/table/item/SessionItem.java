package agentsessions.table.item;

import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
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

/// The item of a session.
public final class SessionItem {
  private static final ItemSchema<Session> SCHEMA =
      new ItemSchema<>(session -> Layout.meta(session.key()), SessionItem::session)
          .also(UsageTotalItem.SCHEMA, session -> session.account().spent());
  private static final Attribute<String> AGENT =
      SCHEMA.part("agent", AttributeFormat.TEXT, Session::agentName);
  public static final Attribute<String> TITLE =
      SCHEMA.part("title", AttributeFormat.TEXT, Session::title);
  public static final Attribute<Map<String, String>> METADATA =
      SCHEMA.part("metadata", AttributeFormat.TEXTS, Session::metadata);
  public static final Attribute<Boolean> ARCHIVED =
      SCHEMA.part("archived", AttributeFormat.FLAG, Session::archived);
  public static final Attribute<Boolean> WORKING =
      SCHEMA.part("working", AttributeFormat.FLAG, Session::working);
  public static final Attribute<Long> TURN_NUMBER =
      SCHEMA.part("turn_seq", AttributeFormat.NUMBER, session -> session.turns().number());
  private static final Attribute<TurnId> FIRST =
      SCHEMA.part("first", AttributeFormat.TURN, session -> session.turns().first());
  public static final Attribute<TurnId> CURRENT =
      SCHEMA.part("current", AttributeFormat.TURN, Session::currentTurn);
  public static final Attribute<Stamp> LAST =
      SCHEMA.part("last_ts", AttributeFormat.STAMP, session -> session.turns().lastStamp());

  /// The turns that wait; absent where none does.
  public static final Attribute<List<TurnId>> WAITING =
      SCHEMA.part(
          "waiting",
          AttributeFormat.list(AttributeFormat.TURN),
          session -> session.waiting().isEmpty() ? null : session.waiting());

  /// The request that the current turn waits for.
  public static final Attribute<RequestId> REQUEST =
      SCHEMA.part("request", AttributeFormat.REQUEST, session -> session.turns().request());

  /// The job that runs.
  public static final Attribute<TurnId> JOB =
      SCHEMA.part(
          "job", AttributeFormat.TURN, session -> session.job().map(TurnKey::id).orElse(null));

  /// Set while a job runs that makes no pull request.
  public static final Attribute<Boolean> JOB_IS_PUSH =
      SCHEMA.flag("job_is_push", SessionItem::isPush);

  /// The request for a decision on the plan or the pushes of the current turn, which has ended, and
  /// since when.
  public static final Attribute<RequestId> CLOSING_REQUEST =
      SCHEMA.part(
          "plan",
          AttributeFormat.REQUEST,
          session -> session.closingRequest().map(Turn.Held::request).orElse(null));

  public static final Attribute<Instant> CLOSING_SINCE =
      SCHEMA.part(
          "plan_since",
          AttributeFormat.INSTANT,
          session -> session.closingRequest().map(Turn.Held::since).orElse(null));

  private static final Attribute<Stamp> CREATED =
      SCHEMA.part("created", AttributeFormat.STAMP, Session::createdAt);
  public static final Attribute<Stamp> UPDATED =
      SCHEMA.part("updated", AttributeFormat.STAMP, Session::updatedAt);
  public static final Attribute<String> MODEL =
      SCHEMA.part("model", AttributeFormat.TEXT, Session::model);
  public static final Attribute<List<Repository>> REPOSITORIES =
      SCHEMA.part(
          "repositories",
          RepositoryMap.FORMAT,
          session -> RepositoryMap.filled(session.configuration().repositories()));
  public static final Attribute<List<String>> VARIABLES =
      SCHEMA.part(
          "variables",
          AttributeFormat.NAMES,
          session -> filled(session.configuration().environment().variables()));
  public static final Attribute<List<String>> SECRETS =
      SCHEMA.part(
          "secrets",
          AttributeFormat.NAMES,
          session -> filled(session.configuration().environment().secrets()));
  private static final Attribute<Boolean> SETUP =
      SCHEMA.flag("setup", session -> session.configuration().environment().setup());
  public static final Attribute<TurnStatus> OUTCOME =
      SCHEMA.part("outcome", AttributeFormat.name(TurnStatus.class), ofLast(Session.Last::outcome));
  public static final Attribute<String> PREVIEW =
      SCHEMA.part("preview", AttributeFormat.TEXT, ofLast(Session.Last::preview));
  public static final Attribute<Boolean> HAS_WEBHOOK = SCHEMA.flag("hooked", Session::hasWebhook);

  /// The version of the permissions of its next turns.
  public static final Attribute<String> PERMISSIONS =
      SCHEMA.part("permissions", AttributeFormat.TEXT, Session::permissions);

  public static final Attribute<Ceilings> TURN_LIMITS =
      SCHEMA.part(
          "turn_limits",
          CeilingsMap.FORMAT,
          session -> CeilingsMap.filled(session.account().limits().turn()));
  public static final Attribute<Ceilings> SESSION_LIMITS =
      SCHEMA.part(
          "session_limits",
          CeilingsMap.FORMAT,
          session -> CeilingsMap.filled(session.account().limits().session()));

  /// The turn whose usage was added last.
  private static final Attribute<TurnId> SETTLED =
      SCHEMA.part("settled", AttributeFormat.TURN, session -> session.account().settled());

  /// Whether the session was deleted. `emptied` is set once a search has found nothing more of it
  /// to remove.
  public static final Attribute<Boolean> DELETED =
      SCHEMA.attribute("deleted", AttributeFormat.FLAG);

  public static final Attribute<Boolean> EMPTIED =
      SCHEMA.attribute("emptied", AttributeFormat.FLAG);

  public static Session read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Session session) {
    return SCHEMA.put(session);
  }

  public static Change change(SessionKey key) {
    return SCHEMA.change(Layout.meta(key));
  }

  /// Adds the usage of a turn to the session's total.
  public static Change settled(Change session, TurnId turn, Usage total) {
    return UsageTotalItem.SCHEMA.add(session, UsageTotal.of(total)).set(SETTLED, turn);
  }

  private static Session session(Item item) {
    return new Session(
        item.key().sessionKey(),
        item.get(AGENT),
        item.find(TITLE),
        item.get(METADATA),
        item.flag(ARCHIVED),
        item.get(CREATED),
        item.get(UPDATED),
        item.find(MODEL),
        turns(item),
        configuration(item),
        account(item));
  }

  private static Session.Turns turns(Item item) {
    return new Session.Turns(
        item.get(TURN_NUMBER),
        item.get(FIRST),
        item.get(CURRENT),
        item.flag(WORKING),
        item.get(LAST),
        last(item),
        item.get(WAITING, List.of()),
        item.find(REQUEST),
        item.has(CLOSING_REQUEST)
            ? new Turn.Held(item.get(CLOSING_REQUEST), item.get(CLOSING_SINCE))
            : null,
        item.has(JOB) ? new Session.Job(item.get(JOB), item.flag(JOB_IS_PUSH)) : null);
  }

  private static boolean isPush(Session session) {
    return session.turns().job() != null && session.turns().job().isPush();
  }

  private static Session.Configuration configuration(Item item) {
    return new Session.Configuration(
        item.get(REPOSITORIES, List.of()),
        new Environment.Names(
            item.get(VARIABLES, List.of()), item.get(SECRETS, List.of()), item.flag(SETUP)),
        item.flag(HAS_WEBHOOK),
        item.find(PERMISSIONS));
  }

  private static Session.Account account(Item item) {
    return new Session.Account(
        new Ceilings.OfSession(
            item.get(TURN_LIMITS, Ceilings.NONE), item.get(SESSION_LIMITS, Ceilings.NONE)),
        UsageTotalItem.SCHEMA.read(item),
        item.find(SETTLED));
  }

  private static Session.@Nullable Last last(Item item) {
    TurnStatus outcome = item.find(OUTCOME);
    return outcome == null ? null : new Session.Last(outcome, item.find(PREVIEW));
  }

  private static <V> Function<Session, @Nullable V> ofLast(Function<Session.Last, @Nullable V> of) {
    return session -> session.turns().last() == null ? null : of.apply(session.turns().last());
  }

  /// Null, which is left out, for an empty list.
  private static @Nullable List<String> filled(List<String> names) {
    return names.isEmpty() ? null : names;
  }

  private SessionItem() {}
}
