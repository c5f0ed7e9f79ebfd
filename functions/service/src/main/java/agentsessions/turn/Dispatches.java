package agentsessions.turn;

import static agentsessions.turn.Guards.asSeen;
import static agentsessions.turn.Guards.queued;

import agentsessions.aws.Change;
import agentsessions.aws.Item;
import agentsessions.aws.Layout;
import agentsessions.aws.Table;
import agentsessions.session.Turn;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/// The way of a queued turn to a runner. Each step puts off the sweep for as long as the next one
/// may take.
@Singleton
public final class Dispatches {
  /// How long a runner may take from its ticket to its claim; a Lambda may have to start first.
  private static final Duration HAND_OVER = Duration.ofSeconds(45);

  /// How long the loop that waits for a sandbox may be silent.
  private static final Duration WAITING = Duration.ofSeconds(15);

  private final Table table;
  private final Clock clock;
  private final Duration startGrace;

  public Dispatches(
      Table table,
      Clock clock,
      @Property(name = "start.grace.seconds", defaultValue = "30") int startGraceSeconds) {
    this.table = table;
    this.clock = clock;
    this.startGrace = Duration.ofSeconds(startGraceSeconds);
  }

  /// True while another turn's runner holds the session's sandbox.
  public boolean sandboxBusy(Turn turn) {
    return table
        .item(Layout.box(turn.workspace(), turn.sessionId()))
        .filter(
            box -> box.has("holder") && !box.requiredText("holder").equals(turn.id().toString()))
        .map(box -> box.number("lease_until") > clock.millis())
        .orElse(false);
  }

  /// Puts off the sweep while a dispatch waits for the sandbox. False if the turn moved on
  /// meanwhile.
  public boolean await(Turn turn) {
    return table.write(List.of(queued(turn, WAITING).update())).committed();
  }

  /// Puts off the sweep while the turn is handed to a runner, which will have to know the ticket.
  /// False if the turn moved on meanwhile.
  public boolean handOver(Turn turn, String ticketHash) {
    Change change =
        queued(turn, patience(HAND_OVER, turn)).set("ticket_hash", Item.text(ticketHash));
    return table.write(List.of(change.update())).committed();
  }

  /// Has the sweep look at a turn at once that was handed over in vain.
  public boolean handBack(Turn turn) {
    return table.write(List.of(queued(turn, Duration.ZERO).update())).committed();
  }

  /// Gives a turn that nobody claimed another dispatch, if it is still as it was read.
  public boolean redispatch(Turn turn) {
    return table
        .write(
            List.of(
                asSeen(turn)
                    .set("dispatch", Item.number(turn.dispatch() + 1))
                    .set("due_at", Item.instant(clock.instant().plus(patience(startGrace, turn))))
                    .update()))
        .committed();
  }

  private Change queued(Turn turn, Duration untilDue) {
    return Guards.queued(turn).set("due_at", Item.instant(clock.instant().plus(untilDue)));
  }

  /// Twice as long for every dispatch before: where all is busy, starting more would make it worse.
  private static Duration patience(Duration first, Turn turn) {
    return first.multipliedBy(1L << (turn.dispatch() - 1));
  }
}
