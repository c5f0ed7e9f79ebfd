package agentsessions.store.message;

import agentsessions.table.Item;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/// The rows of several ranges in one order by stamp. No range is read further than the next row of
/// all needs.
final class MergedRows implements Iterator<MessageRow> {
  private final Queue<Head> heads;

  /// The ranges whose next row is not known.
  private final List<Iterator<Item>> behind;

  /// The next row of a range, and what comes after it.
  private record Head(MessageRow row, Iterator<Item> rest) {}

  MergedRows(List<Iterator<Item>> ranges, boolean ascending) {
    Comparator<Head> byStamp = Comparator.comparing(head -> head.row().message().stamp());
    heads = new PriorityQueue<>(ascending ? byStamp : byStamp.reversed());
    behind = new ArrayList<>(ranges);
  }

  @Override
  public boolean hasNext() {
    behind.stream()
        .filter(Iterator::hasNext)
        .map(range -> new Head(MessageRow.of(range.next()), range))
        .forEach(heads::add);
    behind.clear();
    return !heads.isEmpty();
  }

  @Override
  public MessageRow next() {
    boolean _ = hasNext();
    Head next = heads.remove();
    behind.add(next.rest());
    return next.row();
  }
}
