package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import agentsessions.table.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The messages of one turn, counted: a small row beside the turn, which may be large, so that all
/// of a session are read by one call. It changes in the transactions that write the messages, and
/// has no conditions, since those of the turn hold for it.
///
/// Why: decision 025.
///
/// @param last when its latest message was said
/// @param userBytes how long the first text is
/// @param eventBytes how long all texts between are
/// @param finalBytes how long the last text is; null: nothing final was said
/// @param marks where every hundredth event is
public record CountedTurn(
    TurnKey key,
    Stamp first,
    Stamp last,
    int progress,
    int toolCalls,
    long userBytes,
    long eventBytes,
    @Nullable Long finalBytes,
    List<Mark> marks) {

  private static final int INTERVAL = 100;
  private static final String MARK = "mark_";

  private static final Attribute<CountedTurn, Stamp> FIRST =
      new Attribute<>("first_ts", Kept.STAMP, CountedTurn::first);
  private static final Attribute<CountedTurn, Stamp> LAST =
      new Attribute<>("last_ts", Kept.STAMP, CountedTurn::last);
  private static final Attribute<CountedTurn, Long> PROGRESS =
      new Attribute<>("progress", Kept.NUMBER, counted -> (long) counted.progress);
  private static final Attribute<CountedTurn, Long> TOOL_CALLS =
      new Attribute<>("tool_calls", Kept.NUMBER, counted -> (long) counted.toolCalls);
  private static final Attribute<CountedTurn, Long> USER_BYTES =
      new Attribute<>("user_bytes", Kept.NUMBER, CountedTurn::userBytes);
  private static final Attribute<CountedTurn, Long> EVENT_BYTES =
      new Attribute<>("event_bytes", Kept.NUMBER, CountedTurn::eventBytes);
  private static final Attribute<CountedTurn, Long> FINAL_BYTES =
      new Attribute<>("final_bytes", Kept.NUMBER, CountedTurn::finalBytes);

  private static final Kind<CountedTurn> KIND =
      new Kind<>(
          CountedTurn.class,
          counted -> Layout.counted(counted.key),
          CountedTurn::counted,
          List.of(FIRST, LAST, PROGRESS, TOOL_CALLS, USER_BYTES, EVENT_BYTES, FINAL_BYTES));

  /// Where an event is: `events` came before it in its turn, `progress` of them progress.
  record Mark(Stamp stamp, int events, int progress) {
    private static Mark read(int events, String kept) {
      String[] parts = kept.split(" ", 2);
      return new Mark(new Stamp(Long.parseLong(parts[0])), events, Integer.parseInt(parts[1]));
    }

    private String kept() {
      return stamp.micros() + " " + progress;
    }

    /// How many of these kinds came before it.
    int before(Set<MessageKind> kinds) {
      return (kinds.contains(MessageKind.PROGRESS) ? progress : 0)
          + (kinds.contains(MessageKind.TOOL_CALL) ? events - progress : 0);
    }
  }

  static CountedTurn read(Item item) {
    CountedTurn counted = KIND.read(item);
    List<Mark> marks = new ArrayList<>();
    for (int i = 1; item.has(MARK + i); i++) {
      marks.add(Mark.read(i * INTERVAL, item.requiredText(MARK + i)));
    }
    return counted.with(marks);
  }

  /// With the message of a user every turn begins.
  public static Write begun(Message user) {
    return KIND.put(
            new CountedTurn(
                user.turn(),
                user.stamp(),
                user.stamp(),
                0,
                0,
                MessageRow.bytes(user.text()),
                0,
                null,
                List.of()))
        .overwrite();
  }

  /// The next events of a turn, one at least, in their order.
  public static Write grown(Turn turn, List<Message> events) {
    Change change = Change.of(Layout.counted(turn.key()));
    int progress = turn.counts().progress();
    for (Message event : events) {
      if (event.number() > 0 && event.number() % INTERVAL == 0) {
        Mark mark = new Mark(event.stamp(), event.number(), progress);
        change.set(MARK + event.number() / INTERVAL, mark.kept());
      }
      progress += event.kind() == MessageKind.PROGRESS ? 1 : 0;
    }
    return change
        .set("last_ts", events.getLast().stamp())
        .set("progress", progress)
        .set("tool_calls", turn.counts().events() + events.size() - progress)
        .add(
            "event_bytes", events.stream().mapToLong(event -> MessageRow.bytes(event.text())).sum())
        .update();
  }

  /// The last message of a turn.
  ///
  /// @param lines how many events were added with it, of progress
  public static Write closed(Message last, int lines) {
    return Change.of(Layout.counted(last.turn()))
        .set("last_ts", last.stamp())
        .set("final_bytes", MessageRow.bytes(last.text()))
        .add("progress", lines)
        .update();
  }

  boolean spoke() {
    return finalBytes != null;
  }

  int events() {
    return progress + toolCalls;
  }

  /// How many messages of these kinds there are.
  int count(Set<MessageKind> kinds) {
    return (kinds.contains(MessageKind.USER) ? 1 : 0)
        + (kinds.contains(MessageKind.PROGRESS) ? progress : 0)
        + (kinds.contains(MessageKind.TOOL_CALL) ? toolCalls : 0)
        + (kinds.contains(MessageKind.FINAL) && spoke() ? 1 : 0);
  }

  /// The last mark that has no more than so many events of these kinds before it.
  Mark mark(Set<MessageKind> kinds, int most) {
    return marks.reversed().stream()
        .filter(mark -> mark.before(kinds) <= most)
        .findFirst()
        .orElse(new Mark(first, 0, 0));
  }

  private CountedTurn with(List<Mark> others) {
    return new CountedTurn(
        key,
        first,
        last,
        progress,
        toolCalls,
        userBytes,
        eventBytes,
        finalBytes,
        List.copyOf(others));
  }

  private static CountedTurn counted(Layout.Key key, Parts parts) {
    return new CountedTurn(
        key.counted(),
        parts.get(FIRST),
        parts.get(LAST),
        parts.count(PROGRESS),
        parts.count(TOOL_CALLS),
        parts.get(USER_BYTES),
        parts.get(EVENT_BYTES, 0L),
        parts.find(FINAL_BYTES),
        List.of());
  }
}
