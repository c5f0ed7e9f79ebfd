package agentsessions.table.item;

import agentsessions.session.Session;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.table.Attribute;
import agentsessions.table.CeilingValues;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import agentsessions.table.RepositoryValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The item of a session.
public final class SessionItem {
  private static final Attribute<Session, String> AGENT =
      new Attribute<>("agent", Kept.TEXT, Session::agentName);
  private static final Attribute<Session, String> TITLE =
      new Attribute<>("title", Kept.TEXT, Session::title);
  private static final Attribute<Session, Map<String, String>> METADATA =
      new Attribute<>("metadata", Kept.TEXTS, Session::metadata);
  private static final Attribute<Session, Boolean> ARCHIVED =
      new Attribute<>("archived", Kept.FLAG, Session::archived);
  private static final Attribute<Session, Boolean> WORKING =
      new Attribute<>("working", Kept.FLAG, Session::working);
  private static final Attribute<Session, Long> TURNS =
      new Attribute<>("turn_seq", Kept.NUMBER, Session::turnNumber);
  private static final Attribute<Session, UUID> FIRST =
      new Attribute<>("first", Kept.ID, session -> session.firstTurn().value());
  private static final Attribute<Session, UUID> CURRENT =
      new Attribute<>("current", Kept.ID, session -> session.currentTurn().value());
  private static final Attribute<Session, Stamp> LAST =
      new Attribute<>("last_ts", Kept.STAMP, Session::lastStamp);
  private static final Attribute<Session, Stamp> CREATED =
      new Attribute<>("created", Kept.STAMP, Session::createdAt);
  private static final Attribute<Session, Stamp> UPDATED =
      new Attribute<>("updated", Kept.STAMP, Session::updatedAt);

  private static final Attribute<Session, String> MODEL =
      new Attribute<>("model", Kept.TEXT, Session::model);
  private static final Attribute<Session, List<Repository>> REPOSITORIES =
      new Attribute<>(
          "repositories", RepositoryValues.KEPT, session -> filled(session.repositories()));
  private static final Attribute<Session, List<String>> VARIABLES =
      new Attribute<>(
          "variables", Kept.NAMES, session -> filled(session.environment().variables()));
  private static final Attribute<Session, List<String>> SECRETS =
      new Attribute<>("secrets", Kept.NAMES, session -> filled(session.environment().secrets()));
  private static final Attribute<Session, Boolean> SETUP =
      new Attribute<>("setup", Kept.FLAG, session -> session.environment().setup() ? true : null);
  private static final Attribute<Session, String> OUTCOME =
      new Attribute<>("outcome", Kept.TEXT, SessionItem::outcome);
  private static final Attribute<Session, String> PREVIEW =
      new Attribute<>("preview", Kept.TEXT, SessionItem::preview);

  public static final Attribute<Session, Ceilings> TURN_LIMITS =
      new Attribute<>(
          "turn_limits",
          CeilingValues.KEPT,
          session -> CeilingValues.filled(session.account().limits().turn()));
  public static final Attribute<Session, Ceilings> SESSION_LIMITS =
      new Attribute<>(
          "session_limits",
          CeilingValues.KEPT,
          session -> CeilingValues.filled(session.account().limits().session()));

  /// The turn whose figures were added last.
  private static final Attribute<Session, UUID> SETTLED =
      new Attribute<>(
          "settled",
          Kept.ID,
          session ->
              session.account().settled() == null ? null : session.account().settled().value());

  private static final Attribute<Session, Boolean> HOOKED =
      new Attribute<>("hooked", Kept.FLAG, session -> session.hooked() ? true : null);

  private static final Kind<Session> KIND =
      new Kind<>(
          Session.class,
          session -> Layout.meta(session.key()),
          SessionItem::session,
          withSums(
              List.of(
                  AGENT,
                  TITLE,
                  METADATA,
                  ARCHIVED,
                  WORKING,
                  TURNS,
                  FIRST,
                  CURRENT,
                  LAST,
                  CREATED,
                  UPDATED,
                  MODEL,
                  REPOSITORIES,
                  VARIABLES,
                  SECRETS,
                  SETUP,
                  OUTCOME,
                  PREVIEW,
                  HOOKED,
                  TURN_LIMITS,
                  SESSION_LIMITS,
                  SETTLED)));

  public static Session read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Session session) {
    return KIND.put(session);
  }

  /// Adds what a turn has used.
  public static Change settled(Change session, TurnId turn, Usage total) {
    return SpentValues.add(session, UsageTotal.of(total)).set("settled", turn.toString());
  }

  private static List<Attribute<Session, ?>> withSums(List<Attribute<Session, ?>> attributes) {
    List<Attribute<Session, ?>> all = new ArrayList<>(attributes);
    all.addAll(SpentValues.OF_SESSION);
    return List.copyOf(all);
  }

  private static Session session(Layout.Key key, Parts parts) {
    return new Session(
        key.session(),
        parts.get(AGENT),
        parts.find(TITLE),
        parts.get(METADATA),
        parts.flag(ARCHIVED),
        parts.flag(WORKING),
        parts.get(TURNS),
        new TurnId(parts.get(FIRST)),
        new TurnId(parts.get(CURRENT)),
        parts.get(LAST),
        parts.get(CREATED),
        parts.get(UPDATED),
        parts.find(MODEL),
        parts.get(REPOSITORIES, List.of()),
        new Environment.Names(
            parts.get(VARIABLES, List.of()), parts.get(SECRETS, List.of()), parts.flag(SETUP)),
        last(parts),
        parts.flag(HOOKED),
        account(parts));
  }

  private static Session.Account account(Parts parts) {
    UUID settled = parts.find(SETTLED);
    return new Session.Account(
        new Ceilings.OfSession(
            parts.get(TURN_LIMITS, Ceilings.NONE), parts.get(SESSION_LIMITS, Ceilings.NONE)),
        SpentValues.read(parts::number),
        settled == null ? null : new TurnId(settled));
  }

  private static Session.@Nullable Last last(Parts parts) {
    String outcome = parts.find(OUTCOME);
    return outcome == null
        ? null
        : new Session.Last(TurnStatus.valueOf(outcome), parts.find(PREVIEW));
  }

  private static @Nullable String outcome(Session session) {
    return session.last() == null ? null : session.last().outcome().name();
  }

  private static @Nullable String preview(Session session) {
    return session.last() == null ? null : session.last().preview();
  }

  /// What is empty is left out.
  private static <V> @Nullable List<V> filled(List<V> values) {
    return values.isEmpty() ? null : values;
  }

  private SessionItem() {}
}
