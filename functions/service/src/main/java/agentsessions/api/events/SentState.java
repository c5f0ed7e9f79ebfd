package agentsessions.api.events;

import agentsessions.session.id.TurnId;
import agentsessions.store.event.SessionEvents;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The state of a session and its thread that was sent last: two marks that are equal where the
/// state is, and empty where it is not known.
record SentState(String session, String thread) {
  private static final Pattern TEXT = Pattern.compile("([0-9]*)([a-z][0-9a-f]{12})?");
  private static final SentState NOTHING = new SentState("", "");
  private static final int LAST_OF_ID = 24;

  static SentState read(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? new SentState(matcher.group(1), matcher.group(2) == null ? "" : matcher.group(2))
        : NOTHING;
  }

  /// @param only the thread, where it alone is followed; the session's state is then left out
  static SentState of(SessionEvents.Seen seen, Optional<TurnId> only) {
    String session = only.isPresent() ? "" : Long.toString(seen.session().updatedAt().micros());
    String turn = seen.turn().id().toString().substring(LAST_OF_ID);
    return new SentState(session, seen.turn().status().word().charAt(0) + turn);
  }

  @Override
  public String toString() {
    return session + thread;
  }
}
