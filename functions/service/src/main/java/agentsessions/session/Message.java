package agentsessions.session;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.BroughtFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One entry of a session's history. `number` counts the events of its turn from 0 (0 for user and
/// final messages); `outcome` is set on final messages only; `files` are those that a user message
/// brought.
public record Message(
    TurnKey turn,
    MessageKind kind,
    Stamp stamp,
    int number,
    Text text,
    @Nullable TurnStatus outcome,
    List<BroughtFile> files) {

  /// A message without files.
  public Message(
      TurnKey turn,
      MessageKind kind,
      Stamp stamp,
      int number,
      Text text,
      @Nullable TurnStatus outcome) {
    this(turn, kind, stamp, number, text, outcome, List.of());
  }

  /// The text of a message: held in the item, or, when it is too large for one, as an object.
  public sealed interface Text {
    record Inline(String value) implements Text {}

    record Stored(String objectKey) implements Text {}
  }

  /// The message of a user, as it was accepted.
  public static Message ofUser(Receipt receipt, String text, List<BroughtFile> files) {
    return new Message(
        receipt.turn(), MessageKind.USER, receipt.stamp(), 0, new Text.Inline(text), null, files);
  }

  public SessionId sessionId() {
    return turn.sessionId();
  }

  public TurnId turnId() {
    return turn.id();
  }

  /// An id that never changes: a hash of the turn, the kind and the number.
  public UUID id() {
    String place = turnId() + "/" + kind + "/" + number;
    return UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8));
  }
}
