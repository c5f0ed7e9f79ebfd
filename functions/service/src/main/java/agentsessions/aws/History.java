package agentsessions.aws;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.SessionId;
import agentsessions.session.Stamp;
import agentsessions.session.Turn;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The messages of a session. Each kind is a range of its own in the partition, so a filter costs
/// nothing for what it leaves out: one query a wanted kind, merged by stamp.
@Singleton
public final class History {
  /// Messages with stamps after `after` and up to `until`; at most `limit`, in the order asked for.
  public record Range(
      Set<MessageKind> kinds, Stamp after, Stamp until, boolean ascending, int limit) {}

  /// A transaction is half visible for a moment at most; reading again is enough.
  private static final int READS = 4;

  private static final Set<MessageKind> EVENTS =
      EnumSet.of(MessageKind.PROGRESS, MessageKind.TOOL_CALL);

  private final Table table;
  private final Objects objects;

  History(Table table, Objects objects) {
    this.table = table;
    this.objects = objects;
  }

  /// The closing message of a turn that has spoken; empty when its session was deleted meanwhile.
  public Optional<Message> closing(Turn turn) {
    Layout.Key meta = Layout.meta(turn.workspace(), turn.sessionId());
    Layout.Key closing =
        Layout.message(turn.workspace(), turn.sessionId(), MessageKind.FINAL, turn.lastStamp());
    for (int read = 0; read < READS; read++) {
      Map<Layout.Key, Item> items = table.items(List.of(meta, closing));
      Item session = items.get(meta);
      Item message = items.get(closing);
      if (session == null || session.flag("deleted")) {
        return Optional.empty();
      }
      if (message != null) {
        return Optional.of(Codec.message(turn.sessionId(), message));
      }
    }
    throw new IllegalStateException("a turn that has spoken lacks its closing message");
  }

  /// What a range holds. `latest` is the turn whose last stamp bounds it, read before: nothing
  /// after it is looked at, so that no query sees more than another and nobody who follows by
  /// stamps can miss a message.
  public List<Message> messages(Workspace workspace, SessionId session, Turn latest, Range range) {
    List<Message> found = List.of();
    for (int read = 0; read < READS; read++) {
      found = read(workspace, session, range);
      if (whole(found, latest, range)) {
        break;
      }
    }
    return found.stream()
        .filter(message -> message.stamp().compareTo(range.after()) > 0)
        .limit(range.limit())
        .toList();
  }

  /// The text, wherever it is kept.
  public String text(Message message) {
    return switch (message.text()) {
      case Message.Text.Inline inline -> inline.value();
      case Message.Text.Stored stored -> objects.text(stored.objectKey());
    };
  }

  /// Reads from `after` itself on: the message there, if any, tells which event comes next.
  private List<Message> read(Workspace workspace, SessionId session, Range range) {
    String pk = Layout.partition(workspace, session);
    List<Message> found = new ArrayList<>();
    for (MessageKind kind : range.kinds()) {
      String prefix = Layout.prefix(kind);
      table
          .range(
              pk,
              prefix + range.after().digits(),
              prefix + range.until().digits(),
              range.ascending(),
              range.limit() + 1)
          .forEach(item -> found.add(Codec.message(session, item)));
    }
    Comparator<Message> byStamp = Comparator.comparing(Message::stamp);
    found.sort(range.ascending() ? byStamp : byStamp.reversed());
    return found;
  }

  /// False while events of the latest turn are missing between others: their transaction is not
  /// wholly visible yet.
  private static boolean whole(List<Message> found, Turn latest, Range range) {
    if (!range.ascending() || !range.kinds().containsAll(EVENTS)) {
      return true;
    }
    int next = -1;
    for (Message message : found) {
      if (message.turnId().equals(latest.id()) && EVENTS.contains(message.kind())) {
        if (next >= 0 && message.number() != next) {
          return false;
        }
        next = message.number() + 1;
      }
    }
    return found.size() > range.limit() || next < 0 || next == latest.events();
  }
}
