package agentsessions.session.event;

import agentsessions.session.Artifact;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;

/// A lasting event of a session: a message, an artifact, or the end of a turn. The durable events
/// of the API's streams are made from these.
public sealed interface Happening {
  Place place();

  record Said(Message message, Place place) implements Happening {}

  record Captured(Artifact artifact, Place place) implements Happening {}

  record Ended(Turn turn, Place place) implements Happening {}

  static Happening of(Message message) {
    return new Said(
        message,
        message.kind() == MessageKind.FINAL
            ? Place.reply(message.turnId())
            : Place.of(message.turnId(), message.stamp()));
  }

  static Happening of(Artifact artifact) {
    return new Captured(artifact, Place.of(artifact.turnId(), artifact.id()));
  }

  /// The end of a turn that has ended.
  static Happening endOf(Turn turn) {
    return new Ended(turn, Place.end(turn.id()));
  }
}
