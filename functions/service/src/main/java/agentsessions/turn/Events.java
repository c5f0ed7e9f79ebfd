package agentsessions.turn;

import static agentsessions.turn.Guards.held;

import agentsessions.aws.MessageItem;
import agentsessions.aws.Table;
import agentsessions.aws.Turns;
import agentsessions.aws.Write;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Stamp;
import agentsessions.session.Turn;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What an agent says and does while it runs, appended to its turn exactly once and in order.
@Singleton
public final class Events {
  /// Where texts must move out of the item (an item ends at 400 KB).
  public static final int INLINE_BYTES = 300_000;

  private final Table table;
  private final Turns turns;
  private final Clock clock;

  public Events(Table table, Turns turns, Clock clock) {
    this.table = table;
    this.turns = turns;
    this.clock = clock;
  }

  /// An assistant message or tool call as the runner reports it.
  public record Event(MessageKind kind, String text) {}

  /// Appends what the agent said and did. `from` is how many events came before; a batch that is
  /// there already is not written again. The number of events then recorded, or empty when the turn
  /// is no longer this runner's.
  public Optional<Integer> append(Turn turn, int from, List<Event> events) {
    if (!turn.live()) {
      return Optional.empty();
    }
    if (turn.counts().events() != from || events.isEmpty()) {
      return Optional.of(turn.counts().events());
    }
    List<Write> writes = new ArrayList<>();
    Stamp stamp = turn.lastStamp();
    int progress = turn.counts().progress();
    int toolCalls = turn.counts().toolCalls();
    for (Event event : events) {
      stamp = Stamp.after(stamp, clock.instant());
      boolean call = event.kind() == MessageKind.TOOL_CALL;
      Message message =
          new Message(
              turn.key(),
              event.kind(),
              stamp,
              from + writes.size(),
              new Message.Text.Inline(event.text()),
              null);
      writes.add(MessageItem.put(message).set("m", call ? toolCalls++ : progress++).put());
    }
    writes.add(
        held(turn)
            .set("events", from + events.size())
            .set("progress", progress)
            .set("tool_calls", toolCalls)
            .set("last_ts", stamp)
            .when("#events = :from")
            .with("from", from)
            .update());
    return table.write(writes).committed()
        ? Optional.of(from + events.size())
        : turns
            .load(turn.key())
            .filter(now -> now.live() && now.fence() == turn.fence())
            .map(now -> now.counts().events());
  }
}
