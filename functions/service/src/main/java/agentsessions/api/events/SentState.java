package agentsessions.api.events;

import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.TurnId;
import agentsessions.store.event.SessionEvents;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The state of a session and its thread that was sent last: two marks that are equal where the
/// state is, and empty where it is not known; and the request that the thread, or its plan, then
/// waited for.
record SentState(String session, String thread, Optional<RequestId> request) {
  private static final Pattern TEXT =
      Pattern.compile("([0-9]*)(?:([a-z][0-9a-f]{12})([0-9a-f]{32})?)?");
  private static final SentState NOTHING = new SentState("", "", Optional.empty());
  private static final String HELD = "h";
  private static final int LAST_OF_ID = 24;

  static SentState read(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? new SentState(
            matcher.group(1),
            matcher.group(2) == null ? "" : matcher.group(2),
            Optional.ofNullable(matcher.group(3)).map(SentState::request))
        : NOTHING;
  }

  /// @param only the thread, where it alone is followed; the session's state is then left out
  static SentState of(SessionEvents.Seen seen, Optional<TurnId> only) {
    String session = only.isPresent() ? "" : Long.toString(seen.session().updatedAt().micros());
    String turn = seen.turn().id().toString().substring(LAST_OF_ID);
    Optional<Turn.Held> held = seen.turn().held();
    Optional<RequestId> request =
        held.or(() -> only.isPresent() ? Optional.empty() : seen.session().closingRequest())
            .map(Turn.Held::request);
    String status = held.isPresent() ? HELD : seen.turn().status().word().substring(0, 1);
    return new SentState(session, status + turn, request);
  }

  private static RequestId request(String digits) {
    return new RequestId(
        new UUID(
            Long.parseUnsignedLong(digits.substring(0, 16), 16),
            Long.parseUnsignedLong(digits.substring(16), 16)));
  }

  @Override
  public String toString() {
    return session + thread + request.map(id -> id.toString().replace("-", "")).orElse("");
  }
}
