package agentsessions.turn;

import static agentsessions.turn.Guards.fenced;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.store.message.CountedTurn;
import agentsessions.store.message.MessageCopies;
import agentsessions.store.session.Turns;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.TurnItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The messages and tool calls of an agent while it runs, appended to its turn exactly once and in
/// order.
@Singleton
public final class TurnEvents {
  /// The longest text that stays in an item, in bytes: an item ends at 400 KB.
  public static final int INLINE_BYTES = 300_000;

  private final Table table;
  private final Turns turns;
  private final Clock clock;

  public TurnEvents(Table table, Turns turns, Clock clock) {
    this.table = table;
    this.turns = turns;
    this.clock = clock;
  }

  /// An assistant message or tool call as the runner reports it.
  public record Event(MessageKind kind, String text) {}

  /// Appends messages and tool calls. `from` is the number of events that came before; those that
  /// are there already are not written again. Returns the number of events then recorded, or empty
  /// when the turn is no longer this runner's.
  public Optional<Integer> append(Turn turn, int from, List<Event> events) {
    if (!turn.isRunning() || turn.isJob()) {
      return Optional.empty();
    }
    int recorded = turn.counts().events();
    if (recorded < from || recorded >= from + events.size()) {
      return Optional.of(recorded);
    }
    List<Event> rest = events.subList(recorded - from, events.size());
    List<Event> part = rest.subList(0, fitting(rest));
    if (table.write(writes(turn, part)).committed() && part.size() == rest.size()) {
      return Optional.of(from + events.size());
    }
    return turns
        .load(turn.key())
        .filter(now -> now.isRunning() && now.fence() == turn.fence())
        .flatMap(now ->
            now.counts().events() == recorded ? Optional.of(recorded) : append(now, from, events));
  }

  /// How many of the events, with their copies, the turn itself and its count, one transaction may
  /// hold.
  private static int fitting(List<Event> events) {
    int items = 2;
    for (int count = 0; count < events.size(); count++) {
      items += events.get(count).kind() == MessageKind.PROGRESS ? 2 : 1;
      if (items > Table.MOST_ITEMS) {
        return count;
      }
    }
    return events.size();
  }

  private List<Write> writes(Turn turn, List<Event> events) {
    List<Message> messages = messages(turn, events);
    List<Turn.Counts> counts = turn.counts().through(messages);
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      writes.addAll(MessageCopies.put(message, counts.get(i).of(message.kind())));
    }
    writes.add(CountedTurn.grown(messages, counts));
    Turn.Counts after = counts.getLast();
    writes.add(
        fenced(turn)
            .set(TurnItem.EVENTS, after.events())
            .set(TurnItem.PROGRESS, after.progress())
            .set(TurnItem.TOOL_CALLS, after.toolCalls())
            .set(TurnItem.LAST, messages.getLast().stamp())
            .when("#events = :from")
            .with("from", TurnItem.EVENTS, turn.counts().events())
            .update());
    return writes;
  }

  private List<Message> messages(Turn turn, List<Event> events) {
    List<Message> messages = new ArrayList<>();
    Stamp stamp = turn.lastStamp();
    for (Event event : events) {
      stamp = Stamp.after(stamp, clock.instant());
      int number = turn.counts().events() + messages.size();
      Message.Text text = new Message.Text.Inline(event.text());
      messages.add(new Message(turn.key(), event.kind(), stamp, number, text, null));
    }
    return messages;
  }
}
