package agentsessions.store.message;

import agentsessions.aws.Bucket;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.store.session.Sessions;
import agentsessions.table.Item;
import agentsessions.table.LargeReads;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.item.MessageItem;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.WaitingMessageItem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The messages of a session, read by ranges of stamps. Each kind is a range of its own in the
/// partition, so a filter reads nothing that it leaves out: one query per wanted kind, merged by
/// stamp. If all three copied kinds are wanted, one query of their {@link MessageCopies} replaces
/// three.
@Singleton
public final class History {
  /// The most bytes of texts on one page; the response of a function is limited to 6 MB.
  public static final long MOST_BYTES = 4 * 1000 * 1000;

  /// Messages with stamps after `after` and up to `until`, in the order asked for: at most `limit`,
  /// and none after the one by which their texts exceed `bytes` together.
  public record Range(
      Set<MessageKind> kinds, Stamp after, Stamp until, boolean ascending, int limit, long bytes) {

    /// A range with the most bytes of one page.
    public Range(Set<MessageKind> kinds, Stamp after, Stamp until, boolean ascending, int limit) {
      this(kinds, after, until, ascending, limit, MOST_BYTES);
    }
  }

  /// The most reads of a page with a gap. A transaction is visible in part only for a moment, so a
  /// few reads suffice.
  private static final int READS = 4;

  private final Table table;
  private final Bucket bucket;
  private final Texts texts;

  public History(Table table, Bucket bucket) {
    this.table = table;
    this.bucket = bucket;
    this.texts = new Texts(table);
  }

  /// The closing message of a turn that has one; empty if its session was deleted meanwhile. If the
  /// transaction of the ending is visible only in part, this reads again until the message is
  /// there, or until the `RetryDeadline`.
  public Optional<Message> closing(Turn turn) {
    Layout.Key meta = Layout.meta(turn.key().sessionKey());
    Layout.Key closing =
        Layout.message(turn.key().sessionKey(), MessageKind.FINAL, turn.lastStamp());
    for (int tries = 0; ; tries++) {
      Map<Layout.Key, Item> items = table.items(List.of(meta, closing));
      Item session = items.get(meta);
      Item message = items.get(closing);
      if (session == null || session.flag(SessionItem.DELETED)) {
        return Optional.empty();
      }
      if (message != null) {
        return Optional.of(MessageItem.read(message));
      }
      Retries.pause("closing message", tries);
    }
  }

  /// The message of a turn that waits, or was cancelled while it did. It is no part of the history.
  public Optional<Message> waiting(Turn turn) {
    return table
        .item(Layout.waiting(turn.key()))
        .map(item -> WaitingMessageItem.message(item, turn.receipt()));
  }

  /// The messages of a range. `latest` is the turn whose last stamp, read before, bounds the range:
  /// nothing after it is read, so that all queries see the same messages. An ascending page ends
  /// before the first missing event, so that a client that pages by stamps cannot skip one whose
  /// transaction is not fully visible yet.
  public List<Message> messages(Turn latest, Range range) {
    Predicate<TurnId> whole =
        turn -> turn.equals(latest.id()) && range.after().compareTo(latest.firstStamp()) <= 0;
    return messages(latest.key().sessionKey(), range, whole);
  }

  /// The same for a session without a live turn, whose own last stamp bounds the range.
  public List<Message> messages(Session idle, Range range) {
    return messages(idle.key(), range, _ -> false);
  }

  private List<Message> messages(SessionKey key, Range range, Predicate<TurnId> begins) {
    GapFilter unbroken = new GapFilter(range, begins, turn -> before(key, turn, range));
    List<MessageRow> found;
    List<MessageRow> shown = List.of();
    boolean whole = false;
    for (int read = 0; read < READS && !whole; read++) {
      found = read(key, range);
      shown = unbroken.of(found);
      whole = shown.size() == found.size() || shown.size() > range.limit();
    }
    return whole(
        key,
        shown.stream().filter(row -> row.isAfter(range.after())).limit(range.limit()).toList(),
        range.bytes());
  }

  /// Completes rows to messages; some rows are copies without a text.
  private List<Message> whole(SessionKey key, List<MessageRow> rows, long bytes) {
    for (int tries = 0; ; tries++) {
      List<MessageRow> read = texts.of(key, rows, bytes);
      if (read.stream().allMatch(MessageRow::isWhole)) {
        return read.stream().map(MessageRow::message).toList();
      }
      if (Sessions.visible(table.item(Layout.meta(key)).orElse(null)).isEmpty()) {
        return List.of();
      }
      Retries.pause("messages of copies", tries);
    }
  }

  /// The text of a message, from its item or from its object. An object is always a large text.
  public String text(Message message) {
    return switch (message.text()) {
      case Message.Text.Inline inline -> inline.value();
      case Message.Text.Stored stored -> {
        LargeReads.expect(LargeReads.FREE_BYTES + 1);
        yield bucket.text(stored.objectKey());
      }
    };
  }

  /// Reads from `after` on, with the message at `after` itself: its number tells which event must
  /// come next. The ranges are merged as they are read, and none is read beyond the end of the
  /// page.
  private List<MessageRow> read(SessionKey key, Range range) {
    Iterator<MessageRow> merged = new MergedRows(ranges(key, range), range.ascending());
    List<MessageRow> found = new ArrayList<>();
    long bytes = 0;
    while (found.size() <= range.limit() && bytes <= range.bytes() && merged.hasNext()) {
      MessageRow row = merged.next();
      found.add(row);
      bytes += row.isAfter(range.after()) ? row.leastBytes() : 0;
    }
    return found;
  }

  private List<Iterator<Item>> ranges(SessionKey key, Range range) {
    Set<MessageKind> kinds = EnumSet.copyOf(range.kinds());
    List<String> prefixes = new ArrayList<>();
    if (kinds.containsAll(MessageCopies.KINDS)) {
      kinds.removeAll(MessageCopies.KINDS);
      prefixes.add(Layout.COPIES);
    }
    kinds.forEach(kind -> prefixes.add(Layout.prefix(kind)));
    return prefixes.stream().map(prefix -> items(key, prefix, range)).toList();
  }

  /// The last wanted event of a turn up to the beginning of a range.
  private Optional<MessageRow> before(SessionKey key, TurnId turn, Range range) {
    return MessageKind.EVENTS.stream()
        .filter(range.kinds()::contains)
        .map(Layout::prefix)
        .flatMap(prefix ->
            table
                .range(
                    Layout.partition(key),
                    prefix + Stamp.ZERO.digits(),
                    prefix + range.after().digits(),
                    false,
                    1)
                .stream())
        .map(MessageRow::of)
        .filter(row -> row.message().turnId().equals(turn))
        .max(Comparator.comparing(row -> row.message().stamp()));
  }

  private Iterator<Item> items(SessionKey key, String prefix, Range range) {
    return table.each(
        Layout.partition(key),
        prefix + range.after().digits(),
        prefix + range.until().digits(),
        range.ascending(),
        range.limit() + 1,
        prefix.equals(Layout.COPIES) ? range.limit() + 1 : Texts.FEW);
  }
}
