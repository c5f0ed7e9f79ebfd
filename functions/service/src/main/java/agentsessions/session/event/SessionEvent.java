package agentsessions.session.event;

import agentsessions.session.Artifact;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;

/// A lasting event of a session: a message, an artifact, or the end of a turn. The durable events
/// of the API's streams are made from these.
public sealed interface SessionEvent {
  EventPosition place();

  record MessageCreated(Message message, EventPosition place) implements SessionEvent {}

  record Captured(Artifact artifact, EventPosition place) implements SessionEvent {}

  record Ended(Turn turn, EventPosition place) implements SessionEvent {}

  static SessionEvent of(Message message) {
    return new MessageCreated(
        message,
        message.kind() == MessageKind.FINAL
            ? EventPosition.reply(message.turnId())
            : EventPosition.of(message.turnId(), message.stamp()));
  }

  static SessionEvent of(Artifact artifact) {
    return new Captured(artifact, EventPosition.of(artifact.turnId(), artifact.id()));
  }

  /// The end of a turn that has ended.
  static SessionEvent endOf(Turn turn) {
    return new Ended(turn, EventPosition.end(turn.id()));
  }
}
