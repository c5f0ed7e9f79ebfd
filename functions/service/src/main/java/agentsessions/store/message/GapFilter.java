package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.id.TurnId;
import agentsessions.store.message.History.Range;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The beginning of a page in which no event is missing. A query may see a part of a transaction
/// only, so events are counted: by their number in the turn (`n`) where both kinds are wanted, else
/// by that in their class (`m`). `begins` tells of turns that the range holds from their beginning,
/// as far as that is known; `before` finds the last wanted event of a turn up to where the range
/// begins; it is asked only where the page does not tell by itself.
record GapFilter(
    Range range, Predicate<TurnId> begins, Function<TurnId, Optional<MessageRow>> before) {
  /// The rows before the first gap; all of a descending page.
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
    return range.kinds().containsAll(MessageKind.EVENTS) ? message.number() : row.inClass();
  }
}
