package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.id.Stamp;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The share of one turn in a page by number: its messages from `from` to `until`, counted within
/// the turn.
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

  /// Where its events are found.
  CountedTurn.Mark mark() {
    return turn.mark(kinds, before());
  }

  /// What begins and ends the turn, as far as it is on the page; without texts.
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
