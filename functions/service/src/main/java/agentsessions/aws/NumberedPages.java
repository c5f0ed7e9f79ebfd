package agentsessions.aws;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The pages of a history by number. What each turn holds is known from its counters, so that a
/// page is found, and the total is exact, without counting messages: one batch of keys for what
/// begins and ends turns, and one query a kind for what happened between, both of the page's turns
/// only.
@Singleton
public final class NumberedPages {
  /// What the filters may leave at most; also how far a session's turns are looked at.
  public static final int MOST_MESSAGES = 10_000;

  public static final int MOST_TURNS = 1_000;

  private static final Set<MessageKind> EVENTS =
      EnumSet.of(MessageKind.PROGRESS, MessageKind.TOOL_CALL);

  /// One page: the messages, and how many there are on all pages together.
  public record Page(int total, List<Message> messages) {}

  /// Which messages to count, in which order, and which of them to show: from 0, `until` excluded.
  public record Wanted(Set<MessageKind> kinds, boolean ascending, long from, long until) {}

  private final Table table;

  NumberedPages(Table table) {
    this.table = table;
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
      Optional<List<Message>> found = read(turns.getFirst(), parts, wanted.kinds);
      if (found.map(messages -> messages.size() == expected).orElse(true)) {
        return found.map(
            messages -> new Page(total, wanted.ascending ? messages : messages.reversed()));
      }
      Retries.pause("page of messages", tries);
    }
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

  private Optional<List<Message>> read(Turn any, List<PagePart> parts, Set<MessageKind> kinds) {
    Layout.Key meta = Layout.meta(any.key().session());
    Map<Layout.Key, Item> items =
        table.items(
            Stream.concat(Stream.of(meta), parts.stream().flatMap(PagePart::keys)).toList());
    Item session = items.remove(meta);
    if (session == null || session.flag("deleted")) {
      return Optional.empty();
    }
    List<Message> found = new ArrayList<>();
    items.values().forEach(item -> found.add(MessageItem.read(item)));
    found.addAll(events(parts.stream().filter(part -> part.events() > 0).toList(), kinds));
    found.sort(Comparator.comparing(Message::stamp));
    return Optional.of(found);
  }

  /// The page's events: read from the beginning of its first turn, since a turn's events have
  /// numbers, but no keys made of them.
  private List<Message> events(List<PagePart> parts, Set<MessageKind> kinds) {
    if (parts.isEmpty()) {
      return List.of();
    }
    Turn first = parts.getFirst().turn();
    Turn last = parts.getLast().turn();
    int limit = parts.getFirst().before() + parts.stream().mapToInt(PagePart::events).sum();
    String pk = Layout.partition(first.key().session());
    // Among both kinds an event is counted by its number in the turn, else by that in its kind.
    String number = kinds.containsAll(EVENTS) ? "n" : "m";
    return EVENTS.stream()
        .filter(kinds::contains)
        .map(Layout::prefix)
        .flatMap(prefix ->
            table
                .range(
                    pk,
                    prefix + first.firstStamp().digits(),
                    prefix + last.lastStamp().digits(),
                    true,
                    limit)
                .stream())
        .filter(item -> parts.stream().anyMatch(part -> isOf(part, item, number)))
        .map(MessageItem::read)
        .toList();
  }

  private static boolean isOf(PagePart part, Item item, String number) {
    return part.turn().id().value().equals(item.uuid("turn")) && part.shows(item.count(number));
  }
}
