package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The message counters of one turn. They are a small item beside the turn, which may be large, so
/// that one query reads those of all turns of a session. The transactions that write the messages
/// change it too; it has no conditions of its own, since the turn's conditions guard the same
/// transaction.
///
/// Why: decision 025.
///
/// @param last the stamp of its latest message
/// @param userBytes the length of the first message's text
/// @param eventBytes the length of the texts of all events together
/// @param finalBytes the length of the last message's text; null if there is none
/// @param marks the position of every hundredth event
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

  /// The number of the last event that gets a mark; a runner sends up to 5,000 events.
  private static final int MARKED = 20_000;

  private static final int INTERVAL = 100;

  private static final ItemSchema<CountedTurn> SCHEMA =
      new ItemSchema<>(counted -> Layout.counted(counted.key), CountedTurn::counted);
  private static final Attribute<Stamp> FIRST =
      SCHEMA.part("first_ts", AttributeFormat.STAMP, CountedTurn::first);
  private static final Attribute<Stamp> LAST =
      SCHEMA.part("last_ts", AttributeFormat.STAMP, CountedTurn::last);
  private static final Attribute<Long> PROGRESS =
      SCHEMA.part("progress", AttributeFormat.NUMBER, counted -> (long) counted.progress);
  private static final Attribute<Integer> TOOL_CALLS =
      SCHEMA.part("tool_calls", AttributeFormat.COUNT, CountedTurn::toolCalls);
  private static final Attribute<Long> USER_BYTES =
      SCHEMA.part("user_bytes", AttributeFormat.NUMBER, CountedTurn::userBytes);
  private static final Attribute<Long> EVENT_BYTES =
      SCHEMA.part("event_bytes", AttributeFormat.NUMBER, CountedTurn::eventBytes);
  private static final Attribute<Long> FINAL_BYTES =
      SCHEMA.part("final_bytes", AttributeFormat.NUMBER, CountedTurn::finalBytes);

  /// The marks, each in an attribute of its own, so that one is added without a read.
  private static final List<Attribute<String>> MARKS =
      IntStream.rangeClosed(1, MARKED / INTERVAL)
          .mapToObj(number -> SCHEMA.attribute("mark_" + number, AttributeFormat.TEXT))
          .toList();

  /// The position of an event: its stamp, the number of events before it in its turn, and how many
  /// of those are progress.
  record Mark(Stamp stamp, int events, int progress) {
    private static Mark read(int events, String kept) {
      String[] parts = kept.split(" ", 2);
      return new Mark(new Stamp(Long.parseLong(parts[0])), events, Integer.parseInt(parts[1]));
    }

    private String kept() {
      return stamp.micros() + " " + progress;
    }

    /// The number of events of these kinds before it.
    int before(Set<MessageKind> kinds) {
      return (kinds.contains(MessageKind.PROGRESS) ? progress : 0)
          + (kinds.contains(MessageKind.TOOL_CALL) ? events - progress : 0);
    }
  }

  static CountedTurn read(Item item) {
    return SCHEMA.read(item);
  }

  /// The write for a turn's first message, which is always its user's.
  public static Write begun(Message user) {
    return SCHEMA
        .put(
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

  /// The write for the next events of a turn, one at least, in their order.
  ///
  /// @param counts the numbers before each of them, and last those after all of them
  public static Write grown(List<Message> events, List<Turn.Counts> counts) {
    Change change = SCHEMA.change(Layout.counted(events.getFirst().turn()));
    for (int i = 0; i < events.size(); i++) {
      Message event = events.get(i);
      if (event.number() > 0 && event.number() % INTERVAL == 0 && event.number() <= MARKED) {
        Mark mark = new Mark(event.stamp(), event.number(), counts.get(i).progress());
        change.set(MARKS.get(event.number() / INTERVAL - 1), mark.kept());
      }
    }
    return change
        .set(LAST, events.getLast().stamp())
        .set(PROGRESS, (long) counts.getLast().progress())
        .set(TOOL_CALLS, counts.getLast().toolCalls())
        .add(EVENT_BYTES, events.stream().mapToLong(event -> MessageRow.bytes(event.text())).sum())
        .update();
  }

  /// The write for the closing message of a turn.
  ///
  /// @param lines the number of progress events that the same transaction adds
  public static Write closed(Message last, int lines) {
    return SCHEMA
        .change(Layout.counted(last.turn()))
        .set(LAST, last.stamp())
        .set(FINAL_BYTES, MessageRow.bytes(last.text()))
        .add(PROGRESS, lines)
        .update();
  }

  boolean spoke() {
    return finalBytes != null;
  }

  int events() {
    return progress + toolCalls;
  }

  /// The number of messages of these kinds.
  int count(Set<MessageKind> kinds) {
    return (kinds.contains(MessageKind.USER) ? 1 : 0)
        + (kinds.contains(MessageKind.PROGRESS) ? progress : 0)
        + (kinds.contains(MessageKind.TOOL_CALL) ? toolCalls : 0)
        + (kinds.contains(MessageKind.FINAL) && spoke() ? 1 : 0);
  }

  /// The last mark with at most so many events of these kinds before it.
  Mark mark(Set<MessageKind> kinds, int most) {
    return marks.reversed().stream()
        .filter(mark -> mark.before(kinds) <= most)
        .findFirst()
        .orElse(new Mark(first, 0, 0));
  }

  private static CountedTurn counted(Item item) {
    List<Mark> marks = new ArrayList<>();
    for (Attribute<String> mark : MARKS) {
      item.optional(mark)
          .ifPresent(kept -> marks.add(Mark.read(INTERVAL * (marks.size() + 1), kept)));
    }
    return new CountedTurn(
        item.key().counted(),
        item.get(FIRST),
        item.get(LAST),
        Math.toIntExact(item.get(PROGRESS)),
        item.get(TOOL_CALLS),
        item.get(USER_BYTES),
        item.get(EVENT_BYTES, 0L),
        item.find(FINAL_BYTES),
        List.copyOf(marks));
  }
}
