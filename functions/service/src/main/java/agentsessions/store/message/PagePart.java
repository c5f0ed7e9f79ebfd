package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.id.Stamp;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of a numbered page that falls into one turn: the turn's messages of the wanted kinds,
/// from position `from` up to and without `until`.
record PagePart(CountedTurn turn, Set<MessageKind> kinds, int from, int until) {
  int size() {
    return until - from;
  }

  boolean user() {
    return kinds.contains(MessageKind.USER) && from == 0;
  }

  boolean closing() {
    return kinds.contains(MessageKind.FINAL) && turn.spoke() && turn.count(kinds) == until;
  }

  /// The number of wanted events of the turn before the page's first one.
  int before() {
    return Math.max(0, from - (kinds.contains(MessageKind.USER) ? 1 : 0));
  }

  int events() {
    return size() - (user() ? 1 : 0) - (closing() ? 1 : 0);
  }

  /// Whether an event is on the page, by its number among the turn's wanted events.
  boolean shows(int number) {
    return number >= before() && number < before() + events();
  }

  /// The mark from which to read its events.
  CountedTurn.Mark mark() {
    return turn.mark(kinds, before());
  }

  /// The turn's first and closing messages, as far as they are on the page, still without their
  /// texts.
  Stream<MessageRow> ends() {
    Stream<MessageRow> first = Stream.of(row(MessageKind.USER, turn.first(), turn.userBytes()));
    Stream<MessageRow> last = Stream.of(row(MessageKind.FINAL, turn.last(), turn.finalBytes()));
    return Stream.concat(user() ? first : Stream.empty(), closing() ? last : Stream.empty());
  }

  private MessageRow row(MessageKind kind, Stamp stamp, @Nullable Long bytes) {
    Message.Text none = new Message.Text.Inline("");
    return new MessageRow(
        new Message(turn.key(), kind, stamp, 0, none, null), 0, false, bytes == null ? 0 : bytes);
  }
}
