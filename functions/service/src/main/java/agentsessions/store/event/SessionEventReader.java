package agentsessions.store.event;

import agentsessions.session.Artifact;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.event.EventPosition;
import agentsessions.session.event.SessionEvent;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.store.artifact.Artifacts;
import agentsessions.store.message.History;
import agentsessions.store.message.MessageRow;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.TimeOrderedIds;
import agentsessions.table.item.MessageItem;
import agentsessions.table.item.TurnRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// One pass over the events of a session: it goes from position to position, and stops where an
/// event that must exist is not visible yet, or where enough was read.
final class SessionEventReader {
  private static final int PAGE = 50;

  /// An answer about events ends at 1 MB.
  private static final long MOST_BYTES = 1000 * 1000;

  private static final int MOST_ARTIFACTS = 500;

  /// The ids of artifacts are made from the clock of the process that took the report.
  private static final Duration MOST_SKEW = Duration.ofMinutes(1);

  private final Table table;
  private final History history;
  private final Artifacts artifacts;
  private final SessionEvents.Wanted wanted;
  private final int most;
  private final List<SessionEvent> events = new ArrayList<>();
  private Optional<EventPosition> place;
  private boolean complete = true;
  private long bytes;

  /// @param place the position to go on from
  SessionEventReader(
      Table table,
      History history,
      Artifacts artifacts,
      SessionEvents.Wanted wanted,
      int most,
      Optional<EventPosition> place) {
    this.table = table;
    this.history = history;
    this.artifacts = artifacts;
    this.wanted = wanted;
    this.most = most;
    this.place = place;
  }

  SessionEvents.Found found() {
    return new SessionEvents.Found(List.copyOf(events), place, complete);
  }

  /// The sort key from which the list of turns goes on: after the turn that was read last.
  String next() {
    return place.map(read -> Layout.after(read.turn().toString())).orElse(Layout.LEAST);
  }

  /// Reads turns in order; false where it had to stop before their end.
  boolean read(List<TurnRow> turns) {
    Map<Layout.Key, Item> ends = wanted.messages() ? table.items(ends(turns)) : Map.of();
    for (TurnRow row : turns) {
      complete = read(row, ends);
      if (!complete || row.turn().live()) {
        return false;
      }
    }
    return true;
  }

  private boolean read(TurnRow row, Map<Layout.Key, Item> ends) {
    Turn turn = row.turn();
    if (!row.begun()) { // its message is no part of the history
      return turn.live() || isPast(turn, EventPosition.Part.END) || end(turn);
    }
    if (turn.live()) {
      return messages(turn, ends);
    }
    return (isPast(turn, EventPosition.Part.MESSAGES) || messages(turn, ends))
        && (isPast(turn, EventPosition.Part.ARTIFACTS) || artifacts(row))
        && (isPast(turn, EventPosition.Part.REPLY) || reply(turn, ends))
        && (isPast(turn, EventPosition.Part.END) || end(turn));
  }

  /// Whether the position is beyond this part of the turn, or at it where the part is one event
  /// only.
  private boolean isPast(Turn turn, EventPosition.Part part) {
    return place
        .filter(at -> at.turn().equals(turn.id()))
        .filter(at -> at.part().compareTo(part) > 0 || (at.part() == part && at.within().isEmpty()))
        .isPresent();
  }

  /// The keys of the first and the last message of each turn, as far as these exist and are wanted.
  private List<Layout.Key> ends(List<TurnRow> turns) {
    return turns.stream()
        .filter(TurnRow::begun)
        .map(TurnRow::turn)
        .flatMap(turn ->
            Stream.concat(
                stamp(turn).isEmpty() ? Stream.of(user(turn)) : Stream.of(),
                turn.status().spoke() && !isPast(turn, EventPosition.Part.REPLY)
                    ? Stream.of(closing(turn))
                    : Stream.of()))
        .toList();
  }

  private boolean messages(Turn turn, Map<Layout.Key, Item> ends) {
    if (!wanted.messages()) {
      return skip(turn);
    }
    if (stamp(turn).isEmpty() && !found(ends, user(turn))) {
      return false;
    }
    return turn.counts().events() == 0 || events(turn);
  }

  private boolean skip(Turn turn) {
    if (turn.live()) {
      place = Optional.of(EventPosition.of(turn.id(), turn.lastStamp()));
    }
    return true;
  }

  /// The messages and tool calls of the agent. Of a turn that has ended all must be visible; of a
  /// live one, those of the last transaction may still be missing.
  private boolean events(Turn turn) {
    boolean read = false;
    List<Message> page;
    do {
      page = page(turn, stamp(turn).orElse(turn.firstStamp()), turn.lastStamp(), true, PAGE);
      for (Message message : page) {
        if (isFull()) {
          return false;
        }
        add(SessionEvent.of(message));
        read = true;
      }
    } while (page.size() == PAGE);
    return last(turn, read) == turn.counts().events() - 1;
  }

  /// The number of the last event that was read, in this pass or before.
  private int last(Turn turn, boolean read) {
    if (read && events.getLast() instanceof SessionEvent.MessageCreated created) {
      return created.message().number();
    }
    Stamp until = stamp(turn).orElse(turn.firstStamp());
    return page(turn, turn.firstStamp(), until, false, 1).stream()
        .mapToInt(Message::number)
        .findFirst()
        .orElse(-1);
  }

  private List<Message> page(Turn turn, Stamp after, Stamp until, boolean ascending, int limit) {
    return history.messages(
        turn, new History.Range(kinds(turn), after, until, ascending, limit, MOST_BYTES));
  }

  /// Only the kinds that the turn's counters report, since each kind costs a query.
  private static Set<MessageKind> kinds(Turn turn) {
    Turn.Counts counts = turn.counts();
    if (counts.progress() + counts.toolCalls() == counts.events()) {
      if (counts.toolCalls() == 0) {
        return EnumSet.of(MessageKind.PROGRESS);
      }
      if (counts.progress() == 0) {
        return EnumSet.of(MessageKind.TOOL_CALL);
      }
    }
    return MessageKind.EVENTS;
  }

  private boolean artifacts(TurnRow row) {
    if (!wanted.artifacts() || row.artifacts() == 0) {
      return true;
    }
    List<Artifact> all = recorded(row, TimeOrderedIds.least(begin(row.turn())));
    if (all.size() < row.artifacts()) {
      all = recorded(row, Layout.LEAST);
    }
    if (all.size() < row.artifacts()) {
      return false; // later events must not precede one that is not visible yet
    }
    all.stream()
        .map(SessionEvent::of)
        .filter(captured -> isAfter(captured.place()))
        .forEach(this::add);
    return true;
  }

  private boolean isAfter(EventPosition other) {
    return place.filter(at -> !at.isBefore(other)).isEmpty();
  }

  private static Stamp begin(Turn turn) {
    return turn.firstStamp().plusMicros(-MOST_SKEW.toNanos() / 1_000);
  }

  private List<Artifact> recorded(TurnRow row, String first) {
    SessionKey key = row.turn().key().sessionKey();
    List<Artifact> all = new ArrayList<>();
    for (Artifact one : artifacts.from(key, first, MOST_ARTIFACTS)) {
      if (one.turnId().equals(row.turn().id())) {
        all.add(one);
      }
      if (all.size() == row.artifacts()) {
        break;
      }
    }
    all.sort(Comparator.comparing(artifact -> artifact.id().toString()));
    return all;
  }

  private boolean reply(Turn turn, Map<Layout.Key, Item> ends) {
    return !wanted.messages() || !turn.status().spoke() || found(ends, closing(turn));
  }

  private boolean end(Turn turn) {
    if (isFull()) {
      return false;
    }
    if (wanted.ends()) {
      add(SessionEvent.endOf(turn));
    }
    place = Optional.of(EventPosition.end(turn.id()));
    return true;
  }

  private boolean found(Map<Layout.Key, Item> ends, Layout.Key key) {
    Optional<Item> item = Optional.ofNullable(ends.get(key)).filter(_ -> !isFull());
    item.ifPresent(there -> add(SessionEvent.of(MessageItem.read(there))));
    return item.isPresent();
  }

  private void add(SessionEvent event) {
    events.add(event);
    bytes +=
        event instanceof SessionEvent.MessageCreated created
            ? MessageRow.bytes(created.message().text())
            : 0;
    place = Optional.of(event.place());
  }

  private boolean isFull() {
    return events.size() >= most || bytes > MOST_BYTES;
  }

  /// The stamp up to which the messages of a turn were read; empty where none was.
  private Optional<Stamp> stamp(Turn turn) {
    return place
        .filter(at -> at.turn().equals(turn.id()))
        .map(at -> at.stamp().orElse(turn.lastStamp()));
  }

  private static Layout.Key user(Turn turn) {
    return Layout.message(turn.key().sessionKey(), MessageKind.USER, turn.firstStamp());
  }

  private static Layout.Key closing(Turn turn) {
    return Layout.message(turn.key().sessionKey(), MessageKind.FINAL, turn.lastStamp());
  }
}
