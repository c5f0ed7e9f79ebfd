package agentsessions.api.events;

import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import java.util.Arrays;

/// The names of event types.
final class EventType {
  static final String MESSAGE_CREATED = "message.created";
  static final String ARTIFACT_CREATED = "artifact.created";
  static final String SESSION_UPDATED = "session.updated";
  static final String SNAPSHOT = "snapshot";
  static final String HEARTBEAT = "heartbeat";
  static final String END = "end";

  /// The type of an event with the present state of a turn.
  static String of(Turn turn) {
    return of(turn.status());
  }

  /// Whether events of this type say that a turn has ended.
  static boolean isEnd(String type) {
    return Arrays.stream(TurnStatus.values())
        .filter(status -> !status.live())
        .map(EventType::of)
        .anyMatch(type::equals);
  }

  private static String of(TurnStatus status) {
    return "thread." + status.word();
  }

  private EventType() {}
}
