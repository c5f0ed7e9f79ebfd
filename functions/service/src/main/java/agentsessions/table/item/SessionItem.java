package agentsessions.table.item;

import agentsessions.session.Session;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The item of a session.
public final class SessionItem {
  private static final Kind<Session> KIND =
      new Kind<>(session -> Layout.meta(session.key()), SessionItem::session)
          .also(UsageTotalItem.KIND, session -> session.account().spent());
  private static final Attribute<String> AGENT = KIND.part("agent", Kept.TEXT, Session::agentName);
  public static final Attribute<String> TITLE = KIND.part("title", Kept.TEXT, Session::title);
  public static final Attribute<Map<String, String>> METADATA =
      KIND.part("metadata", Kept.TEXTS, Session::metadata);
  public static final Attribute<Boolean> ARCHIVED =
      KIND.part("archived", Kept.FLAG, Session::archived);
  public static final Attribute<Boolean> WORKING =
      KIND.part("working", Kept.FLAG, Session::working);
  public static final Attribute<Long> TURN_NUMBER =
      KIND.part("turn_seq", Kept.NUMBER, session -> session.turns().number());
  private static final Attribute<TurnId> FIRST =
      KIND.part("first", Kept.TURN, session -> session.turns().first());
  public static final Attribute<TurnId> CURRENT =
      KIND.part("current", Kept.TURN, Session::currentTurn);
  public static final Attribute<Stamp> LAST =
      KIND.part("last_ts", Kept.STAMP, session -> session.turns().lastStamp());
  private static final Attribute<Stamp> CREATED =
      KIND.part("created", Kept.STAMP, Session::createdAt);
  public static final Attribute<Stamp> UPDATED =
      KIND.part("updated", Kept.STAMP, Session::updatedAt);
  public static final Attribute<String> MODEL = KIND.part("model", Kept.TEXT, Session::model);
  public static final Attribute<List<Repository>> REPOSITORIES =
      KIND.part(
          "repositories",
          RepositoryMap.KEPT,
          session -> RepositoryMap.filled(session.given().repositories()));
  public static final Attribute<List<String>> VARIABLES =
      KIND.part(
          "variables", Kept.NAMES, session -> filled(session.given().environment().variables()));
  public static final Attribute<List<String>> SECRETS =
      KIND.part("secrets", Kept.NAMES, session -> filled(session.given().environment().secrets()));
  private static final Attribute<Boolean> SETUP =
      KIND.flag("setup", session -> session.given().environment().setup());
  public static final Attribute<TurnStatus> OUTCOME =
      KIND.part("outcome", Kept.name(TurnStatus.class), ofLast(Session.Last::outcome));
  public static final Attribute<String> PREVIEW =
      KIND.part("preview", Kept.TEXT, ofLast(Session.Last::preview));
  public static final Attribute<Boolean> HOOKED = KIND.flag("hooked", Session::hooked);
  public static final Attribute<Ceilings> TURN_LIMITS =
      KIND.part(
          "turn_limits",
          CeilingsMap.KEPT,
          session -> CeilingsMap.filled(session.account().limits().turn()));
  public static final Attribute<Ceilings> SESSION_LIMITS =
      KIND.part(
          "session_limits",
          CeilingsMap.KEPT,
          session -> CeilingsMap.filled(session.account().limits().session()));

  /// The turn whose usage was added last.
  private static final Attribute<TurnId> SETTLED =
      KIND.part("settled", Kept.TURN, session -> session.account().settled());

  /// Whether the session was deleted. `emptied` is set once a search has found nothing more of it
  /// to remove.
  public static final Attribute<Boolean> DELETED = KIND.attribute("deleted", Kept.FLAG);

  public static final Attribute<Boolean> EMPTIED = KIND.attribute("emptied", Kept.FLAG);

  public static Session read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Session session) {
    return KIND.put(session);
  }

  public static Change change(SessionKey session) {
    return KIND.change(Layout.meta(session));
  }

  /// Adds the usage of a turn to the session's total.
  public static Change settled(Change session, TurnId turn, Usage total) {
    return UsageTotalItem.KIND.add(session, UsageTotal.of(total)).set(SETTLED, turn);
  }

  private static Session session(Item item) {
    return new Session(
        item.key().session(),
        item.get(AGENT),
        item.find(TITLE),
        item.get(METADATA),
        item.flag(ARCHIVED),
        item.get(CREATED),
        item.get(UPDATED),
        item.find(MODEL),
        turns(item),
        given(item),
        account(item));
  }

  private static Session.Turns turns(Item item) {
    return new Session.Turns(
        item.get(TURN_NUMBER),
        item.get(FIRST),
        item.get(CURRENT),
        item.flag(WORKING),
        item.get(LAST),
        last(item));
  }

  private static Session.Given given(Item item) {
    return new Session.Given(
        item.get(REPOSITORIES, List.of()),
        new Environment.Names(
            item.get(VARIABLES, List.of()), item.get(SECRETS, List.of()), item.flag(SETUP)),
        item.flag(HOOKED));
  }

  private static Session.Account account(Item item) {
    return new Session.Account(
        new Ceilings.OfSession(
            item.get(TURN_LIMITS, Ceilings.NONE), item.get(SESSION_LIMITS, Ceilings.NONE)),
        UsageTotalItem.KIND.read(item),
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
