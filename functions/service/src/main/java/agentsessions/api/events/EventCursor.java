package agentsessions.api.events;

import agentsessions.session.Refusal;
import agentsessions.session.event.EventPosition;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.Sha256;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A cursor of a session's events: the place of the last durable event, and the state that was sent
/// last (empty where that is not known). Its text is bound to the session by a hash, and texts sort
/// as their places do.
record EventCursor(Optional<EventPosition> place, String sent) {
  private static final int BINDING = 12;
  private static final Pattern TEXT =
      Pattern.compile(
          "([0-9a-f]{" + BINDING + "})([0-9a-f-]*[mprt]?[0-9a-f-]*)(?:\\.([0-9a-z]+))?");

  /// Before everything.
  static final EventCursor BEGINNING = new EventCursor(Optional.empty(), "");

  /// @param field the parameter or header that the text came in
  static EventCursor read(String field, String text, SessionId session) {
    Matcher matcher = TEXT.matcher(text);
    if (text.length() > 200 || !matcher.matches() || !matcher.group(1).equals(binding(session))) {
      throw refused(field);
    }
    String sent = matcher.group(3) == null ? "" : matcher.group(3);
    String place = matcher.group(2);
    return place.isEmpty()
        ? new EventCursor(Optional.empty(), sent)
        : new EventCursor(
            Optional.of(EventPosition.parse(place).orElseThrow(() -> refused(field))), sent);
  }

  /// The id of the event at a place.
  static String id(EventPosition place, SessionId session) {
    return new EventCursor(Optional.of(place), "").text(session);
  }

  String text(SessionId session) {
    return binding(session)
        + place.map(EventPosition::toString).orElse("")
        + (sent.isEmpty() ? "" : "." + sent);
  }

  private static Refusal refused(String field) {
    return Refusal.invalid(field, "must come from an event or an answer of the same session");
  }

  private static String binding(SessionId session) {
    return Sha256.hex("events of " + session).substring(0, BINDING);
  }
}
