package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.table.Item;
import agentsessions.table.Table;
import agentsessions.table.Unavailable;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The handover of a session's sandbox from one turn to the next. A turn that finds the sandbox
/// locked writes its name into the lock; the release then starts the named turn's task again at
/// once. If that signal is lost, for example because the process ends in between, only time is
/// lost: the sweep starts the waiting turn later.
///
/// Why: decision 024.
@Singleton
public final class Handover {
  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  /// The error that makes the state machine try a task again without a pause; `infra/turn.asl.yaml`
  /// catches it.
  private static final String SANDBOX_FREE = "agentsessions.SandboxFree";

  /// A lease is renewed every third of its length. With less than half of it left, a renewal was
  /// missed: the holder may be dead, and would then never release the sandbox.
  private static final int FRESH_PARTS = 2;

  private final Table table;
  private final TaskCallbacks tasks;
  private final Clock clock;
  private final Duration fresh;

  public Handover(
      Table table,
      TaskCallbacks tasks,
      Clock clock,
      @Property(name = "lease.seconds", defaultValue = "45") int leaseSeconds) {
    this.table = table;
    this.tasks = tasks;
    this.clock = clock;
    this.fresh = Duration.ofSeconds(leaseSeconds).dividedBy(FRESH_PARTS);
  }

  /// The lock of the session's sandbox, if the runner of another turn holds it and its lease lasts.
  ///
  /// @param read the lock as it was read with the turn
  Optional<SandboxLock> heldBefore(Turn turn, Optional<Item> read) {
    return read.flatMap(item -> SandboxLock.of(turn.key().sessionKey(), item))
        .filter(lock -> !lock.holder().equals(turn.key()))
        .filter(lock -> lock.leaseUntil().isAfter(clock.instant()));
  }

  /// Whether the holder has renewed its lease in time, so that a release can be expected.
  boolean isExpected(SandboxLock held) {
    return held.leaseUntil().isAfter(clock.instant().plus(fresh));
  }

  /// Names a turn in the lock as the next one to start; the token of its task must be stored
  /// before. False if the lock has changed hands since it was read. The task of a turn that was
  /// named before is ended, since that turn has ended or has another task.
  boolean name(SandboxLock held, Turn turn) {
    boolean named = table.write(held.naming(turn.id()).update()).committed();
    if (named) {
      held.next()
          .filter(other -> !other.equals(turn.id()))
          .ifPresent(other -> tasks.succeed(of(held, other)));
    }
    return named;
  }

  /// Starts the turn that was named in a lock that has been released. A fault costs that turn time,
  /// and must not fail what released the lock.
  void start(SandboxLock released) {
    try {
      released.next().ifPresent(turn -> tasks.fail(of(released, turn), SANDBOX_FREE));
    } catch (Unavailable later) {
      LOG.atWarn()
          .addKeyValue("session", released.holder().sessionId())
          .addKeyValue("fault", String.valueOf(later.getMessage()))
          .log("sandbox.next_not_started");
    }
  }

  private static TurnKey of(SandboxLock lock, TurnId turn) {
    return lock.holder().sessionKey().turn(turn);
  }
}
