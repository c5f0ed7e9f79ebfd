package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.id.TurnId;
import agentsessions.store.message.History.Range;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The filter that ends an ascending page before the first missing event. A query may see only a
/// part of a transaction, and the missing events are noticed by their numbers: the number in the
/// turn (`n`) if both kinds of events are wanted, else the one within the kind (`m`).
///
/// @param begins whether the range certainly holds a turn from its beginning
/// @param before finds the last wanted event of a turn up to the beginning of the range; called
///   only if the page alone does not show which number must come first
record GapFilter(
    Range range, Predicate<TurnId> begins, Function<TurnId, Optional<MessageRow>> before) {
  /// The rows before the first gap; all rows of a descending page.
  List<MessageRow> of(List<MessageRow> found) {
    if (!range.ascending()) {
      return found;
    }
    for (int i = 0; i < found.size(); i++) {
      MessageRow row = found.get(i);
      if (isCounted(row) && number(row) != expected(found.subList(0, i), row)) {
        return found.subList(0, i);
      }
    }
    return found;
  }

  private int expected(List<MessageRow> earlier, MessageRow row) {
    if (row.message().stamp().equals(range.after())) {
      return number(row);
    }
    TurnId turn = row.message().turnId();
    for (MessageRow one : earlier.reversed()) {
      if (!one.message().turnId().equals(turn) || one.message().kind() == MessageKind.USER) {
        return 0;
      }
      if (isCounted(one)) {
        return number(one) + 1;
      }
    }
    return begins.test(turn) || number(row) == 0
        ? 0
        : before.apply(turn).map(last -> number(last) + 1).orElse(0);
  }

  private static boolean isCounted(MessageRow row) {
    return MessageKind.EVENTS.contains(row.message().kind());
  }

  private int number(MessageRow row) {
    Message message = row.message();
    return range.kinds().containsAll(MessageKind.EVENTS) ? message.number() : row.numberInKind();
  }
}
