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

/// The pages of a history by number. What each turn holds is known from its {@link CountedTurn}, so
/// that a page is found, and the total is exact, without counting messages: one query for those of
/// all turns and the session, one batch for what begins and ends turns, and one query a kind for
/// what happened between, all of the page's turns only. A query more is made for each MB of texts.
@Singleton
public final class NumberedPages {
  /// What the filters may leave at most.
  public static final int MOST_MESSAGES = 10_000;

  /// How far a session's turns are looked at.
  public static final int MOST_TURNS = 1_000;

  /// What an event has beside its text.
  private static final int ROW_BYTES = 300;

  /// One page: the messages, and how many there are on all pages together. Of a page that is too
  /// large there are some messages only, which are too large together.
  public record Page(int total, List<Message> messages) {}

  /// Which messages to count, in which order, and which of them to show: from 0, `until` excluded.
  public record Wanted(Set<MessageKind> kinds, boolean ascending, long from, long until) {}

  /// What pages are found in: the turns of a session in order of time, or one of them only.
  ///
  /// @param created when the session was
  public record Counted(
      SessionKey session, Stamp created, Optional<Turn> thread, List<CountedTurn> turns) {

    /// How many messages of these kinds the turns hold.
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

  /// The turns of a session that was not deleted, as far as they are looked at, and one more.
  public Optional<Counted> counted(SessionKey session) {
    List<Item> items =
        table.range(
            Layout.partition(session), Layout.COUNTED, Layout.META, false, 1 + MOST_TURNS + 1);
    return items.stream()
        .limit(1)
        .filter(item -> item.key().sk().equals(Layout.META))
        .findFirst()
        .flatMap(Sessions::visible)
        .map(Session::createdAt)
        .map(created -> new Counted(session, created, Optional.empty(), turns(items)));
  }

  /// One turn of a session that was not deleted.
  public Optional<Counted> counted(TurnKey thread) {
    Layout.Key meta = Layout.meta(thread.session());
    Layout.Key turn = Layout.turn(thread);
    Layout.Key counted = Layout.counted(thread);
    Map<Layout.Key, Item> items = table.items(List.of(meta, turn, counted));
    Optional<Turn> found = Optional.ofNullable(items.get(turn)).map(TurnItem::read);
    List<CountedTurn> turns =
        Optional.ofNullable(items.get(counted)).map(CountedTurn::read).stream().toList();
    return Sessions.visible(items.get(meta))
        .filter(_ -> found.isPresent())
        .map(session -> new Counted(session.key(), session.createdAt(), found, turns));
  }

  private static List<CountedTurn> turns(List<Item> items) {
    return items.stream().skip(1).map(CountedTurn::read).toList().reversed();
  }

  /// What is wanted of the turns; empty when the session was deleted. Where a part of a transaction
  /// only is visible, the rest is waited for as long as the `Budget` lasts.
  public Optional<Page> page(Counted counted, Wanted wanted) {
    int total = (int) counted.total(wanted.kinds);
    List<PagePart> parts = parts(counted.turns, ascending(wanted, total));
    int expected = parts.stream().mapToInt(PagePart::size).sum();
    for (int tries = 0; ; tries++) {
      List<MessageRow> rows = read(counted.session, parts, wanted.kinds);
      if (rows.size() == expected || isTooLarge(rows)) {
        return Optional.of(new Page(total, inOrder(rows, wanted.ascending)));
      }
      if (Sessions.visible(table.item(Layout.meta(counted.session)).orElse(null)).isEmpty()) {
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

  private List<MessageRow> read(SessionKey session, List<PagePart> parts, Set<MessageKind> kinds) {
    List<MessageRow> ends = parts.stream().flatMap(PagePart::ends).toList();
    List<MessageRow> found =
        new ArrayList<>(
            texts.of(session, ends, History.MOST_BYTES).stream()
                .filter(MessageRow::isWhole)
                .toList());
    List<PagePart> withEvents = parts.stream().filter(part -> part.events() > 0).toList();
    if (!withEvents.isEmpty()) {
      addEvents(session, withEvents, kinds, found);
    }
    return found;
  }

  /// The page's events: read from a mark before the first of them on, since events have numbers,
  /// but no keys made of them.
  private void addEvents(
      SessionKey session, List<PagePart> parts, Set<MessageKind> kinds, List<MessageRow> found) {
    int missing = parts.stream().mapToInt(PagePart::events).sum();
    long left = History.MOST_BYTES - bytes(found);
    Iterator<MessageRow> rows = new MergedRows(ranges(session, parts, kinds, missing), true);
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
      SessionKey session, List<PagePart> parts, Set<MessageKind> kinds, int missing) {
    PagePart first = parts.getFirst();
    CountedTurn.Mark mark = first.mark();
    String last = parts.getLast().turn().last().digits();
    int limit = first.before() - mark.before(kinds) + missing;
    return MessageKind.EVENTS.stream()
        .filter(kinds::contains)
        .map(Layout::prefix)
        .map(prefix ->
            table.each(
                Layout.partition(session),
                prefix + mark.stamp().digits(),
                prefix + last,
                true,
                limit,
                fitting(parts)))
        .toList();
  }

  /// How many of the events one page of the table has room for, by the length of a usual one.
  private static int fitting(List<PagePart> parts) {
    long events = parts.stream().mapToLong(part -> part.turn().events()).sum();
    long bytes = parts.stream().mapToLong(part -> part.turn().eventBytes()).sum();
    return (int) Math.max(1, events * Table.PAGE_BYTES / (bytes + events * ROW_BYTES));
  }

  /// Among both kinds an event is counted by its number in the turn, else by that in its kind.
  private static boolean isOf(PagePart part, MessageRow row, Set<MessageKind> kinds) {
    int number = kinds.containsAll(MessageKind.EVENTS) ? row.message().number() : row.inClass();
    return part.turn().key().id().equals(row.message().turnId()) && part.shows(number);
  }
}
