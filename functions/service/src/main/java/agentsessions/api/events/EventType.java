package agentsessions.api.events;

import agentsessions.api.sessions.ThreadBody;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.request.Request;
import java.util.Arrays;

/// The names of event types.
final class EventType {
  private static final String THREAD = "thread.";
  static final String MESSAGE_CREATED = "message.created";
  static final String ARTIFACT_CREATED = "artifact.created";
  static final String SESSION_UPDATED = "session.updated";
  static final String REQUEST_CREATED = "request.created";
  static final String REQUEST_DECIDED = "request.decided";
  static final String REQUEST_EXPIRED = "request.expired";
  static final String REQUEST_CLOSED = "request.closed";
  static final String SNAPSHOT = "snapshot";
  static final String HEARTBEAT = "heartbeat";
  static final String END = "end";

  /// The type of an event with the present state of a turn.
  static String of(Turn turn) {
    return THREAD + ThreadBody.status(turn);
  }

  /// The type of an event with the present state of a request.
  static String of(Request request) {
    return switch (request.status()) {
      case PENDING -> REQUEST_CREATED;
      case DECIDED -> REQUEST_DECIDED;
      case EXPIRED -> REQUEST_EXPIRED;
      case CLOSED -> REQUEST_CLOSED;
    };
  }

  /// Whether events of this type say that a turn has ended.
  static boolean isEnd(String type) {
    return Arrays.stream(TurnStatus.values())
        .filter(status -> !status.live())
        .map(status -> THREAD + status.word())
        .anyMatch(type::equals);
  }

  private EventType() {}
}
