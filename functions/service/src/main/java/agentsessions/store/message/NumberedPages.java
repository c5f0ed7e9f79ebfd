package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.store.session.Sessions;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The pages of a history by number. What each turn holds is known from its counters, so that a
/// page is found, and the total is exact, without counting messages: one batch of copies for what
/// begins and ends turns, with another one of long texts, and one query a kind for what happened
/// between, all of the page's turns only.
@Singleton
public final class NumberedPages {
  /// What the filters may leave at most; also how far a session's turns are looked at.
  public static final int MOST_MESSAGES = 10_000;

  public static final int MOST_TURNS = 1_000;

  /// One page: the messages, and how many there are on all pages together. Of a page that is too
  /// large there are some messages only, which are too large together.
  public record Page(int total, List<Message> messages) {}

  /// Which messages to count, in which order, and which of them to show: from 0, `until` excluded.
  public record Wanted(Set<MessageKind> kinds, boolean ascending, long from, long until) {}

  private final Table table;
  private final Texts texts;

  public NumberedPages(Table table) {
    this.table = table;
    this.texts = new Texts(table);
  }

  /// How many messages of these kinds the turns hold.
  public static long total(List<Turn> turns, Set<MessageKind> kinds) {
    return turns.stream().mapToLong(turn -> PagePart.count(turn, kinds)).sum();
  }

  /// What is wanted of a session's turns, which are given in order of time, at least one; empty
  /// when the session was deleted. Where a part of a transaction only is visible, the rest is
  /// waited for as long as the `Budget` lasts.
  public Optional<Page> page(List<Turn> turns, Wanted wanted) {
    int total = (int) total(turns, wanted.kinds);
    List<PagePart> parts = parts(turns, ascending(wanted, total));
    int expected = parts.stream().mapToInt(PagePart::size).sum();
    for (int tries = 0; ; tries++) {
      Optional<List<MessageRow>> found = read(turns.getFirst(), parts, wanted.kinds);
      if (found.map(rows -> rows.size() == expected || isTooLarge(rows)).orElse(true)) {
        return found.map(rows -> new Page(total, inOrder(rows, wanted.ascending)));
      }
      Retries.pause("page of messages", tries);
    }
  }

  private static boolean isTooLarge(List<MessageRow> rows) {
    return bytes(rows) > History.MOST_BYTES;
  }

  private static long bytes(List<MessageRow> rows) {
    return rows.stream().mapToLong(MessageRow::leastBytes).sum();
  }

  private static List<Message> inOrder(List<MessageRow> rows, boolean ascending) {
    Comparator<Message> byStamp = Comparator.comparing(Message::stamp);
    return rows.stream()
        .map(MessageRow::message)
        .sorted(ascending ? byStamp : byStamp.reversed())
        .toList();
  }

  /// The same messages, counted from the oldest.
  private static Wanted ascending(Wanted wanted, long total) {
    return wanted.ascending
        ? wanted
        : new Wanted(
            wanted.kinds,
            true,
            Math.max(0, total - wanted.until),
            Math.max(0, total - wanted.from));
  }

  private static List<PagePart> parts(List<Turn> turns, Wanted wanted) {
    List<PagePart> parts = new ArrayList<>();
    long begin = 0;
    for (Turn turn : turns) {
      int count = PagePart.count(turn, wanted.kinds);
      int from = Math.clamp(wanted.from - begin, 0, count);
      int until = Math.clamp(wanted.until - begin, 0, count);
      if (from < until) {
        parts.add(new PagePart(turn, wanted.kinds, from, until));
      }
      begin += count;
    }
    return parts;
  }

  private Optional<List<MessageRow>> read(Turn any, List<PagePart> parts, Set<MessageKind> kinds) {
    SessionKey key = any.key().session();
    Layout.Key meta = Layout.meta(key);
    List<MessageRow> ends = parts.stream().flatMap(PagePart::ends).toList();
    Map<Layout.Key, Item> items =
        table.items(
            Stream.concat(Stream.of(meta), ends.stream().map(NumberedPages::copy)).toList());
    if (Sessions.visible(items.get(meta)).isEmpty()) {
      return Optional.empty();
    }
    List<MessageRow> copied = ends.stream().map(end -> copied(end, items.get(copy(end)))).toList();
    List<MessageRow> found =
        new ArrayList<>(
            texts.of(key, copied, History.MOST_BYTES).stream()
                .filter(MessageRow::isWhole)
                .toList());
    List<PagePart> withEvents = parts.stream().filter(part -> part.events() > 0).toList();
    if (!withEvents.isEmpty()) {
      addEvents(withEvents, kinds, found);
    }
    return Optional.of(found);
  }

  private static Layout.Key copy(MessageRow row) {
    return Layout.copy(row.message().turn().session(), row.message().stamp());
  }

  private static MessageRow copied(MessageRow row, @Nullable Item copy) {
    return copy == null ? row : MessageRow.of(copy);
  }

  /// The page's events: read from the beginning of its first turn, since a turn's events have
  /// numbers, but no keys made of them.
  private void addEvents(List<PagePart> parts, Set<MessageKind> kinds, List<MessageRow> found) {
    int missing = parts.stream().mapToInt(PagePart::events).sum();
    long left = History.MOST_BYTES - bytes(found);
    Iterator<MessageRow> rows =
        new MergedRows(ranges(parts, kinds, parts.getFirst().before() + missing), true);
    while (missing > 0 && left >= 0 && rows.hasNext()) {
      MessageRow row = rows.next();
      if (parts.stream().anyMatch(part -> isOf(part, row, kinds))) {
        found.add(row);
        missing--;
        left -= row.leastBytes();
      }
    }
  }

  private List<Iterator<Item>> ranges(List<PagePart> parts, Set<MessageKind> kinds, int limit) {
    Turn first = parts.getFirst().turn();
    Turn last = parts.getLast().turn();
    return MessageKind.EVENTS.stream()
        .filter(kinds::contains)
        .map(Layout::prefix)
        .map(prefix ->
            table.each(
                Layout.partition(first.key().session()),
                prefix + first.firstStamp().digits(),
                prefix + last.lastStamp().digits(),
                true,
                limit,
                Texts.FEW))
        .toList();
  }

  /// Among both kinds an event is counted by its number in the turn, else by that in its kind.
  private static boolean isOf(PagePart part, MessageRow row, Set<MessageKind> kinds) {
    int number = kinds.containsAll(MessageKind.EVENTS) ? row.message().number() : row.inClass();
    return part.turn().id().equals(row.message().turnId()) && part.shows(number);
  }
}
