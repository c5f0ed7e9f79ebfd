package agentsessions.aws;

import agentsessions.session.Session;
import agentsessions.session.Stamp;
import agentsessions.session.TurnId;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// How a session is kept.
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

  private static final Kind<Session> KIND =
      new Kind<>(
          Session.class,
          session -> Layout.meta(session.key()),
          SessionItem::session,
          List.of(
              AGENT, TITLE, METADATA, ARCHIVED, WORKING, TURNS, FIRST, CURRENT, LAST, CREATED,
              UPDATED));

  public static Session read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Session session) {
    return KIND.put(session);
  }

  private static Session session(Layout.Key key, Parts parts) {
    return new Session(
        key.session(),
        parts.get(AGENT),
        parts.find(TITLE),
        parts.get(METADATA, Map.of()),
        parts.flag(ARCHIVED),
        parts.flag(WORKING),
        parts.get(TURNS),
        new TurnId(parts.get(FIRST)),
        new TurnId(parts.get(CURRENT)),
        parts.get(LAST),
        parts.get(CREATED),
        parts.get(UPDATED));
  }

  private SessionItem() {}
}
