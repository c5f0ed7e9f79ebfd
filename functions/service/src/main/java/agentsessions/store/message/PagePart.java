package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import java.util.Set;
import java.util.stream.Stream;

/// The share of one turn in a page by number: its messages from `from` to `until`, counted within
/// the turn.
record PagePart(Turn turn, Set<MessageKind> kinds, int from, int until) {
  int size() {
    return until - from;
  }

  boolean user() {
    return kinds.contains(MessageKind.USER) && from == 0;
  }

  boolean closing() {
    return count(turn, kinds) == until && closes(turn, kinds);
  }

  /// The events before the page's first one.
  int before() {
    return Math.max(0, from - (kinds.contains(MessageKind.USER) ? 1 : 0));
  }

  int events() {
    return size() - (user() ? 1 : 0) - (closing() ? 1 : 0);
  }

  /// Whether an event is on the page, by its number among those of its turn that are wanted.
  boolean shows(int number) {
    return number >= before() && number < before() + events();
  }

  /// What begins and ends the turn, as far as it is on the page; without texts.
  Stream<MessageRow> ends() {
    Stream<MessageRow> first = Stream.of(row(MessageKind.USER, turn.firstStamp()));
    Stream<MessageRow> last = Stream.of(row(MessageKind.FINAL, turn.lastStamp()));
    return Stream.concat(user() ? first : Stream.empty(), closing() ? last : Stream.empty());
  }

  private MessageRow row(MessageKind kind, Stamp stamp) {
    Message.Text none = new Message.Text.Inline("");
    return new MessageRow(new Message(turn.key(), kind, stamp, 0, none, null), 0, false, -1);
  }

  /// How many messages of these kinds a turn holds.
  static int count(Turn turn, Set<MessageKind> kinds) {
    return (kinds.contains(MessageKind.USER) ? 1 : 0)
        + (kinds.contains(MessageKind.PROGRESS) ? turn.counts().progress() : 0)
        + (kinds.contains(MessageKind.TOOL_CALL) ? turn.counts().toolCalls() : 0)
        + (closes(turn, kinds) ? 1 : 0);
  }

  private static boolean closes(Turn turn, Set<MessageKind> kinds) {
    return kinds.contains(MessageKind.FINAL) && turn.status().spoke();
  }
}
