package agentsessions.turn;

import static agentsessions.turn.Guards.asSeen;
import static agentsessions.turn.Guards.queued;

import agentsessions.session.Turn;
import agentsessions.session.repository.PushJob;
import agentsessions.store.session.Turns;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Table;
import agentsessions.table.Unavailable;
import agentsessions.table.item.TurnItem;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The dispatch of a queued turn to a runner. Each step puts off the sweep for as long as the next
/// one may take.
///
/// Why: decision 005.
@Singleton
public final class Dispatches {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatches.class);

  /// The time between the end of a holder's lease and the start of the turn that waits for it.
  private static final Duration WAITING = Duration.ofSeconds(15);

  private static final int LONGEST_PAUSE_SECONDS = 60;

  /// The divisor of the first start's time: each further start waits for that part longer, so that
  /// five starts take what the package's table of causes promises, fifteen minutes where the first
  /// has 90 seconds.
  private static final int HALVES = 2;

  private static final int MOST_DOUBLINGS = 10;

  private final Table table;
  private final Clock clock;
  private final StartGrace startGrace;
  private final Duration longestPause;
  private final Duration longestQueue;

  public Dispatches(
      Table table,
      Clock clock,
      StartGrace startGrace,
      @Property(name = "queue.seconds", defaultValue = "21600") int queueSeconds) {
    this.table = table;
    this.clock = clock;
    this.startGrace = startGrace;
    this.longestPause =
        Duration.ofSeconds(Math.max(LONGEST_PAUSE_SECONDS, startGrace.length().toSeconds()));
    this.longestQueue = Duration.ofSeconds(queueSeconds);
  }

  /// Puts off the sweep while a dispatch waits for a sandbox whose lease ends then. False if the
  /// turn moved on meanwhile.
  public boolean await(Turn turn, Instant leaseUntil) {
    return table.write(dueAt(turn, leaseUntil.plus(WAITING)).update()).committed();
  }

  /// Puts off the sweep while the turn is handed to a runner, which has to present the ticket: by
  /// half of its claim time more for each start that ended without a claim. From now on this
  /// dispatch counts as such a start, unless a later report says otherwise. False if the turn moved
  /// on meanwhile.
  ///
  /// @param claimTime how long the first runner may take to its claim
  public boolean recordLaunch(Turn turn, String ticketHash, Duration claimTime) {
    int failedStarts = turn.state() instanceof Turn.State.Queued queued ? queued.failedStarts() : 0;
    Duration longer = claimTime.multipliedBy(HALVES + failedStarts).dividedBy(HALVES);
    Change change =
        queued(turn, longer).set(TurnItem.TICKET_HASH, ticketHash).set(TurnItem.LAUNCHED, true);
    return table.write(change.update()).committed();
  }

  /// Leaves a turn without a claim to the sweep; whether this dispatch counts as a failed start
  /// stays as it is. False if the turn moved on meanwhile.
  public boolean recordFailure(Turn turn) {
    return table.write(queued(turn, pause(turn)).update()).committed();
  }

  /// The same where no runner was started, so that this dispatch counts as no failed start.
  public boolean recordNoLaunch(Turn turn) {
    return table.write(queued(turn, pause(turn)).remove(TurnItem.LAUNCHED).update()).committed();
  }

  /// Notes that a runner may have been started or not: it is waited for, and counts as no failed
  /// start.
  public void recordUnheard(Turn turn) {
    boolean _ = table.write(Guards.queued(turn).remove(TurnItem.LAUNCHED).update()).committed();
  }

  /// Puts off the sweep's next look at a turn that it could not handle; best effort.
  public void postpone(Turns.Due.OfTurn due) {
    Change change =
        TurnItem.change(due.turn())
            .set(Attribute.DUE_AT, clock.instant().plus(longestPause))
            .when("attribute_exists(#LIVE)");
    try {
      boolean _ = table.write(change.update()).committed();
    } catch (Unavailable stays) {
      LOG.atDebug().addKeyValue("turn", due.turn().id()).log("turn.stays_due");
    }
  }

  /// True where a turn has been queued for longer than allowed.
  public boolean queuedTooLong(Turn turn) {
    Duration longest = turn.isJob() ? PushJob.LONGEST : longestQueue;
    return turn.queuedAt().plus(longest).isBefore(clock.instant());
  }

  /// Gives a turn without a claim another dispatch, if it is still as it was read. A transaction,
  /// since its caller must know that its own write was the one, to start the execution.
  public boolean redispatch(Turn turn, Turn.State.Queued queued) {
    Change change =
        asSeen(turn)
            .set(TurnItem.DISPATCH, turn.dispatch() + 1)
            .set(TurnItem.FAILED_STARTS, queued.unclaimedStarts())
            .set(Attribute.DUE_AT, clock.instant().plus(pause(turn)))
            .remove(TurnItem.LAUNCHED);
    return table.write(List.of(change.update())).committed();
  }

  private Change queued(Turn turn, Duration untilDue) {
    return dueAt(turn, clock.instant().plus(untilDue));
  }

  private static Change dueAt(Turn turn, Instant due) {
    return Guards.queued(turn).set(Attribute.DUE_AT, due);
  }

  /// The pause before another dispatch, which doubles: where all is busy, starting more would make
  /// it worse.
  private Duration pause(Turn turn) {
    Duration pause = doubled(startGrace.length(), turn.dispatch() - 1);
    return pause.compareTo(longestPause) < 0 ? pause : longestPause;
  }

  private static Duration doubled(Duration first, int times) {
    return first.multipliedBy(1L << Math.min(times, MOST_DOUBLINGS));
  }
}
