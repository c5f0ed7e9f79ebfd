package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.store.session.Sessions;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.item.TurnItem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The pages of messages by page number. The counters in [CountedTurn] tell which turns a page
/// falls into, so the total is exact and no messages need to be counted. A page takes one query for
/// the session and the counters of all turns, one batch for first and closing messages, and one
/// query per kind for the events of the page's turns. Each MB of texts takes one query more.
@Singleton
public final class NumberedPages {
  /// The most messages that a filter may match.
  public static final int MOST_MESSAGES = 10_000;

  /// The most turns of a session that are counted.
  public static final int MOST_TURNS = 1_000;

  /// The approximate size of an event beside its text, in bytes.
  private static final int ROW_BYTES = 300;

  /// One page: its messages, and the total on all pages. If the messages of a page are too large
  /// together, only some are returned, which are over the limit as well, so that the caller
  /// notices.
  public record Page(int total, List<Message> messages) {}

  /// The request for a page: the kinds of messages to count, their order, and the positions to
  /// show, from `from` (0 is the first) up to and without `until`.
  public record Wanted(Set<MessageKind> kinds, boolean ascending, long from, long until) {}

  /// The scope of the pages: all turns of a session by time, or one of them.
  ///
  /// @param created the time at which the session was created
  public record Counted(
      SessionKey sessionKey, Stamp created, Optional<Turn> thread, List<CountedTurn> turns) {

    /// Whether the one turn has begun: else its message is not counted.
    public boolean hasBegun() {
      return thread.isEmpty() || !turns.isEmpty();
    }

    /// The number of messages of these kinds in the turns.
    long total(Set<MessageKind> kinds) {
      return turns.stream().mapToLong(turn -> turn.count(kinds)).sum();
    }

    /// Whether there are more turns, or more messages of these kinds, than can be counted.
    public boolean isTooLong(Set<MessageKind> kinds) {
      return turns.size() > MOST_TURNS || total(kinds) > MOST_MESSAGES;
    }
  }

  private final Table table;
  private final Texts texts;

  public NumberedPages(Table table) {
    this.table = table;
    this.texts = new Texts(table);
  }

  /// The turns of a session, one more than are counted at most. Empty if the session was deleted.
  public Optional<Counted> counted(SessionKey key) {
    List<Item> items =
        table.range(Layout.partition(key), Layout.COUNTED, Layout.META, false, 1 + MOST_TURNS + 1);
    return items.stream()
        .limit(1)
        .filter(item -> item.key().sk().equals(Layout.META))
        .findFirst()
        .flatMap(Sessions::visible)
        .map(Session::createdAt)
        .map(created -> new Counted(key, created, Optional.empty(), turns(items)));
  }

  /// One turn of a session. Empty if the session was deleted.
  public Optional<Counted> counted(TurnKey thread) {
    Layout.Key meta = Layout.meta(thread.sessionKey());
    Layout.Key turn = Layout.turn(thread);
    Layout.Key counted = Layout.counted(thread);
    Map<Layout.Key, Item> items = table.items(List.of(meta, turn, counted));
    Optional<Turn> found = Optional.ofNullable(items.get(turn)).map(TurnItem::read);
    List<CountedTurn> turns =
        Optional.ofNullable(items.get(counted)).map(CountedTurn::read).stream().toList();
    return Sessions.visible(items.get(meta))
        .filter(_ -> found.isPresent())
        .map(session ->
            new Counted(
                session.key(),
                session.createdAt(),
                found.map(one -> one.seenFrom(session)),
                turns));
  }

  private static List<CountedTurn> turns(List<Item> items) {
    return items.stream().skip(1).map(CountedTurn::read).toList().reversed();
  }

  /// Reads a page; empty if the session was deleted. If a transaction is visible only in part, this
  /// reads again until all of it is, or until the `RetryDeadline`.
  public Optional<Page> page(Counted counted, Wanted wanted) {
    int total = (int) counted.total(wanted.kinds);
    List<PagePart> parts = parts(counted.turns, ascending(wanted, total));
    int expected = parts.stream().mapToInt(PagePart::size).sum();
    for (int tries = 0; ; tries++) {
      List<MessageRow> rows = read(counted.sessionKey, parts, wanted.kinds);
      if (rows.size() == expected || isTooLarge(rows)) {
        return Optional.of(new Page(total, inOrder(rows, wanted.ascending)));
      }
      if (Sessions.visible(table.item(Layout.meta(counted.sessionKey)).orElse(null)).isEmpty()) {
        return Optional.empty();
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

  /// The same messages with positions counted from the oldest.
  private static Wanted ascending(Wanted wanted, long total) {
    return wanted.ascending
        ? wanted
        : new Wanted(
            wanted.kinds,
            true,
            Math.max(0, total - wanted.until),
            Math.max(0, total - wanted.from));
  }

  private static List<PagePart> parts(List<CountedTurn> turns, Wanted wanted) {
    List<PagePart> parts = new ArrayList<>();
    long begin = 0;
    for (CountedTurn turn : turns) {
      int count = turn.count(wanted.kinds);
      int from = Math.clamp(wanted.from - begin, 0, count);
      int until = Math.clamp(wanted.until - begin, 0, count);
      if (from < until) {
        parts.add(new PagePart(turn, wanted.kinds, from, until));
      }
      begin += count;
    }
    return parts;
  }

  private List<MessageRow> read(SessionKey key, List<PagePart> parts, Set<MessageKind> kinds) {
    List<MessageRow> ends = parts.stream().flatMap(PagePart::ends).toList();
    List<MessageRow> found =
        new ArrayList<>(
            texts.of(key, ends, History.MOST_BYTES).stream().filter(MessageRow::isWhole).toList());
    List<PagePart> withEvents = parts.stream().filter(part -> part.events() > 0).toList();
    if (!withEvents.isEmpty()) {
      addEvents(key, withEvents, kinds, found);
    }
    return found;
  }

  /// Adds the page's events. They are read from the last mark before the first of them, since their
  /// keys are made of stamps and not of their numbers.
  private void addEvents(
      SessionKey key, List<PagePart> parts, Set<MessageKind> kinds, List<MessageRow> found) {
    int missing = parts.stream().mapToInt(PagePart::events).sum();
    long left = History.MOST_BYTES - bytes(found);
    Iterator<MessageRow> rows = new MergedRows(ranges(key, parts, kinds, missing), true);
    while (missing > 0 && left >= 0 && rows.hasNext()) {
      MessageRow row = rows.next();
      if (parts.stream().anyMatch(part -> isOf(part, row, kinds))) {
        found.add(row);
        missing--;
        left -= row.leastBytes();
      }
    }
  }

  private List<Iterator<Item>> ranges(
      SessionKey key, List<PagePart> parts, Set<MessageKind> kinds, int missing) {
    PagePart first = parts.getFirst();
    CountedTurn.Mark mark = first.mark();
    String last = parts.getLast().turn().last().digits();
    int limit = first.before() - mark.before(kinds) + missing;
    return MessageKind.EVENTS.stream()
        .filter(kinds::contains)
        .map(Layout::prefix)
        .map(prefix ->
            table.each(
                Layout.partition(key),
                prefix + mark.stamp().digits(),
                prefix + last,
                true,
                limit,
                fitting(parts)))
        .toList();
  }

  /// The number of events expected to fit into one page of a query, by their mean length.
  private static int fitting(List<PagePart> parts) {
    long events = parts.stream().mapToLong(part -> part.turn().events()).sum();
    long bytes = parts.stream().mapToLong(part -> part.turn().eventBytes()).sum();
    return (int) Math.max(1, events * Table.PAGE_BYTES / (bytes + events * ROW_BYTES));
  }

  /// Whether a row is on the page. If both kinds of events are wanted, its number in the turn
  /// counts, otherwise its number within its kind.
  private static boolean isOf(PagePart part, MessageRow row, Set<MessageKind> kinds) {
    int number =
        kinds.containsAll(MessageKind.EVENTS) ? row.message().number() : row.numberInKind();
    return part.turn().key().id().equals(row.message().turnId()) && part.shows(number);
  }
}
