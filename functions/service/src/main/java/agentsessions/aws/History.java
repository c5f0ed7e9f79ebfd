package agentsessions.aws;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Session;
import agentsessions.session.SessionKey;
import agentsessions.session.Stamp;
import agentsessions.session.Turn;
import agentsessions.session.TurnId;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The messages of a session. Each kind is a range of its own in the partition, so a filter costs
/// nothing for what it leaves out: one query a wanted kind, merged by stamp. Whoever wants all
/// three that are copied gets them by one query of their {@link Copies}.
@Singleton
public final class History {
  /// Messages with stamps after `after` and up to `until`; at most `limit`, in the order asked for.
  public record Range(
      Set<MessageKind> kinds, Stamp after, Stamp until, boolean ascending, int limit) {}

  /// A transaction is half visible for a moment at most; reading again is enough.
  private static final int READS = 4;

  private final Table table;
  private final Bucket bucket;

  History(Table table, Bucket bucket) {
    this.table = table;
    this.bucket = bucket;
  }

  /// The closing message of a turn that has spoken; empty when its session was deleted meanwhile.
  /// Where a part of its ending only is visible, it is waited for as long as the `Budget` lasts.
  public Optional<Message> closing(Turn turn) {
    Layout.Key meta = Layout.meta(turn.key().session());
    Layout.Key closing = Layout.message(turn.key().session(), MessageKind.FINAL, turn.lastStamp());
    for (int tries = 0; ; tries++) {
      Map<Layout.Key, Item> items = table.items(List.of(meta, closing));
      Item session = items.get(meta);
      Item message = items.get(closing);
      if (session == null || session.flag("deleted")) {
        return Optional.empty();
      }
      if (message != null) {
        return Optional.of(MessageItem.read(message));
      }
      Retries.pause("closing message", tries);
    }
  }

  /// What a range holds. `latest` is the turn whose last stamp bounds it, read before: nothing
  /// after it is looked at, so that no query sees more than another. An ascending page ends before
  /// the first event that is missing between others, so that nobody who follows by stamps can step
  /// over one whose transaction is not wholly visible yet.
  public List<Message> messages(Turn latest, Range range) {
    Predicate<TurnId> whole =
        turn -> turn.equals(latest.id()) && range.after().compareTo(latest.firstStamp()) <= 0;
    return messages(latest.key().session(), latest.copied(), range, whole);
  }

  /// The same of a session in which no turn is live, so that its own last stamp bounds it.
  public List<Message> messages(Session idle, Range range) {
    return messages(idle.key(), idle.copied(), range, _ -> false);
  }

  private List<Message> messages(
      SessionKey session, boolean copied, Range range, Predicate<TurnId> begins) {
    Unbroken unbroken = new Unbroken(range, begins, turn -> before(session, turn, range));
    List<Row> found;
    List<Row> shown = List.of();
    boolean whole = false;
    for (int read = 0; read < READS && !whole; read++) {
      found = read(session, copied && range.kinds().containsAll(Copies.KINDS), range);
      shown = unbroken.of(found);
      whole = shown.size() == found.size() || shown.size() > range.limit();
    }
    return whole(
        session,
        shown.stream()
            .filter(row -> row.message().stamp().compareTo(range.after()) > 0)
            .limit(range.limit())
            .toList());
  }

  /// The messages of rows, some of which are copies without a text.
  private List<Message> whole(SessionKey session, List<Row> rows) {
    List<Layout.Key> wanted =
        rows.stream().filter(row -> !row.isWhole()).map(row -> key(session, row)).toList();
    for (int tries = 0; ; tries++) {
      Map<Layout.Key, Item> texts = table.items(wanted);
      if (texts.size() == wanted.size()) {
        return rows.stream().map(row -> whole(row, texts.get(key(session, row)))).toList();
      }
      if (Sessions.visible(table.item(Layout.meta(session)).orElse(null)).isEmpty()) {
        return List.of();
      }
      Retries.pause("messages of copies", tries);
    }
  }

  private static Message whole(Row row, @Nullable Item message) {
    return message == null ? row.message() : MessageItem.read(message);
  }

  private static Layout.Key key(SessionKey session, Row row) {
    return Layout.message(session, row.message().kind(), row.message().stamp());
  }

  /// The text, wherever it is kept.
  public String text(Message message) {
    return switch (message.text()) {
      case Message.Text.Inline inline -> inline.value();
      case Message.Text.Stored stored -> bucket.text(stored.objectKey());
    };
  }

  /// A message with its number in its class (`m`); -1 where that was not written. `isWhole`: it has
  /// its text.
  record Row(Message message, int inClass, boolean isWhole) {
    static Row of(Item item) {
      return new Row(MessageItem.read(item), item.has("m") ? item.count("m") : -1, true);
    }
  }

  /// Reads from `after` itself on: the message there, if any, tells which event comes next.
  private List<Row> read(SessionKey session, boolean copied, Range range) {
    Set<MessageKind> kinds = EnumSet.copyOf(range.kinds());
    List<Row> found = new ArrayList<>();
    if (copied) {
      kinds.removeAll(Copies.KINDS);
      found.addAll(copies(session, range));
    }
    for (MessageKind kind : kinds) {
      found.addAll(
          rows(session, kind, range.after(), range.until(), range.ascending(), range.limit() + 1));
    }
    Comparator<Row> byStamp = Comparator.comparing(row -> row.message().stamp());
    found.sort(range.ascending() ? byStamp : byStamp.reversed());
    return found;
  }

  /// The last wanted event of a turn up to where a range begins.
  private Optional<Row> before(SessionKey session, TurnId turn, Range range) {
    return Unbroken.EVENTS.stream()
        .filter(range.kinds()::contains)
        .flatMap(kind -> rows(session, kind, Stamp.ZERO, range.after(), false, 1).stream())
        .filter(row -> row.message().turnId().equals(turn))
        .max(Comparator.comparing(row -> row.message().stamp()));
  }

  private List<Row> copies(SessionKey session, Range range) {
    return items(
            session,
            Layout.COPIES,
            range.after(),
            range.until(),
            range.ascending(),
            range.limit() + 1)
        .map(Copies::row)
        .toList();
  }

  private List<Row> rows(
      SessionKey session, MessageKind kind, Stamp first, Stamp last, boolean ascending, int limit) {
    return items(session, Layout.prefix(kind), first, last, ascending, limit).map(Row::of).toList();
  }

  private Stream<Item> items(
      SessionKey session, String prefix, Stamp first, Stamp last, boolean ascending, int limit) {
    return table
        .range(
            Layout.partition(session),
            prefix + first.digits(),
            prefix + last.digits(),
            ascending,
            limit)
        .stream();
  }
}
