package agentsessions.jobs.sweep;

import agentsessions.jobs.WorkerPool;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.store.session.Turns;
import agentsessions.table.RetryDeadline;
import agentsessions.table.Shards;
import agentsessions.turn.Sandboxes;
import agentsessions.turn.TaskStops;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sweep: one pass over all that is due, so that every turn ends and every deletion completes.
/// Turns come first, many at once, then unsent webhooks; deleted sessions get the time that is
/// left, first the one that has waited longest since its last step. A failure is logged and delays
/// nothing else.
@Singleton
public final class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  /// The most items that are read of a shard at once; the shard is read again until it has fewer.
  private static final int MOST_TURNS = 1000;

  private static final int MOST_SESSIONS = 250;

  /// The longest time that a runner may take to its claim, when several starts have failed.
  private static final Duration LONGEST_CLAIM = Duration.ofMinutes(5);

  /// The time that one item may take.
  private static final Duration EACH = Duration.ofSeconds(8);

  private final Turns turns;
  private final OverdueTurns overdue;
  private final SessionPurge purge;
  private final Sandboxes sandboxes;
  private final TaskStops stops;
  private final UnsentWebhooks unsent;
  private final Duration longest;
  private final WorkerPool shardWorkers;
  private final WorkerPool fewWorkers;

  /// @param seconds after which a run begins nothing new
  /// @param atOnce how many shards are read at once, and how many turns of each are handled at once
  public Sweep(
      Turns turns,
      OverdueTurns overdue,
      SessionPurge purge,
      Sandboxes sandboxes,
      TaskStops stops,
      UnsentWebhooks unsent,
      @Property(name = "sweep.seconds", defaultValue = "45") int seconds,
      @Property(name = "sweep.at.once", defaultValue = "8") int atOnce) {
    this.turns = turns;
    this.overdue = overdue;
    this.purge = purge;
    this.sandboxes = sandboxes;
    this.stops = stops;
    this.unsent = unsent;
    this.longest = Duration.ofSeconds(seconds);
    this.shardWorkers = new WorkerPool(atOnce);
    this.fewWorkers = new WorkerPool(Math.ceilDiv(atOnce, 4));
  }

  /// The result of a run.
  public record Swept(int seen, List<SessionId> purged) {}

  /// A pass under way, which begins nothing after `end` (`System.nanoTime`).
  private record Round(long end, AtomicInteger seen) {
    boolean hasTime() {
      return end - System.nanoTime() > 0;
    }
  }

  /// A read of the items that are due in a shard, so many at most.
  private interface DueRead<T> {
    List<T> at(String shard, int most);
  }

  /// One run that begins nothing after `remaining`. Its result is the number of items that were
  /// due, and the deleted sessions whose data is being removed: each is named in at least one pass,
  /// so that an installation that keeps sandboxes elsewhere can remove them too.
  public Swept run(Duration remaining) {
    long end =
        System.nanoTime() + (remaining.compareTo(longest) < 0 ? remaining : longest).toNanos();
    Round round = new Round(end, new AtomicInteger());
    List<SessionId> purged = Collections.synchronizedList(new ArrayList<>());
    each(Shards.live(), MOST_TURNS, shardWorkers, round, turns::due, this::handle);
    attempt("webhooks", unsent::start);
    each(
        Shards.purge(),
        MOST_SESSIONS,
        fewWorkers,
        round,
        turns::deleted,
        key -> remove(key, purged));
    return new Swept(round.seen.get(), List.copyOf(purged));
  }

  /// Starts each turn that was queued before `end`, when all runners of this installation ended,
  /// and was not claimed. It would be started anyway, once a runner has had its time to claim.
  public void recover(Instant end) {
    Instant then = end.plus(LONGEST_CLAIM);
    shardWorkers.each(
        Shards.live(),
        System.nanoTime() + longest.toNanos(),
        shard ->
            attempt(
                shard, () -> turns.due(shard, then, MOST_TURNS).forEach(due -> recover(due, end))));
  }

  private void recover(Turns.Due due, Instant end) {
    if (due instanceof Turns.Due.OfTurn turn) {
      attempt(turn, () -> overdue.recover(turn, end));
    }
  }

  private void handle(Turns.Due due) {
    switch (due) {
      case Turns.Due.OfTurn turn -> overdue.handle(turn);
      case Turns.Due.OfSandbox of -> {
        boolean _ = sandboxes.reclaim(of.sessionKey());
      }
      case Turns.Due.OfRequest request -> overdue.handle(request);
      case Turns.Due.OfTask task -> stops.handle(task.stop());
    }
  }

  private void remove(SessionKey key, List<SessionId> purged) {
    if (purge.step(key)) {
      purged.add(key.id());
    }
  }

  /// Handles the due items of all shards, in another order each time, so that no shard is always
  /// the last.
  private <T> void each(
      List<String> shards,
      int most,
      WorkerPool workers,
      Round round,
      DueRead<T> read,
      Consumer<T> work) {
    List<String> shuffled = new ArrayList<>(shards);
    Collections.shuffle(shuffled);
    shardWorkers.each(
        shuffled,
        round.end,
        shard -> {
          boolean full = true;
          while (full && round.hasTime()) {
            List<T> found = new ArrayList<>();
            attempt(shard, () -> found.addAll(read.at(shard, most)));
            round.seen.addAndGet(found.size());
            workers.each(found, round.end, due -> attempt(due, () -> work.accept(due)));
            full = found.size() == most;
          }
        });
  }

  /// An item that cannot be handled must not hold up the others.
  private static void attempt(Object what, Runnable work) {
    try {
      RetryDeadline.run(EACH, work);
    } catch (RuntimeException fault) {
      LOG.atError().addKeyValue("due", what).setCause(fault).log("sweep.failed");
    }
  }
}
