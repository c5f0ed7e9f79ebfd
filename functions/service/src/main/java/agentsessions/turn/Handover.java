package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/// The handover of a session's sandbox from one turn to the next. A turn that finds it held has
/// itself named at its lock, and whoever lets go has the named turn's task tried again at once. A
/// name that is lost, as where a process dies between the two, costs time only: the turn is due,
/// and the sweep starts it again.
///
/// Why: decision 024.
@Singleton
public final class Handover {
  /// The error by which a task is tried again without a pause; `infra/turn.asl.yaml` catches it.
  private static final String SANDBOX_FREE = "agentsessions.SandboxFree";

  /// A lease is renewed three times within its length; a holder that has missed one renewal may be
  /// dead, and then nobody lets go.
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

  /// The lock of the session's sandbox while the runner of another turn holds it.
  Optional<SandboxLock> heldBefore(Turn turn) {
    return table
        .item(Layout.box(turn.key().session()))
        .flatMap(item -> SandboxLock.of(turn.key().session(), item))
        .filter(box -> !box.holder().equals(turn.key()))
        .filter(box -> box.leaseUntil().isAfter(clock.instant()));
  }

  /// Whether its holder lives as far as anybody knows, so that it will let go.
  boolean isExpected(SandboxLock held) {
    return held.leaseUntil().isAfter(clock.instant().plus(fresh));
  }

  /// Names a turn, whose task's token is kept, as the one to be started next. False where the
  /// sandbox is no longer held as it was read. A turn that was named before has ended, or has
  /// another task.
  boolean name(SandboxLock held, Turn turn) {
    boolean named = table.write(held.naming(turn.id()).update()).committed();
    if (named) {
      held.next()
          .filter(other -> !other.equals(turn.id()))
          .ifPresent(other -> tasks.succeed(of(held, other)));
    }
    return named;
  }

  /// Has the turn started that was named at a sandbox which has been let go.
  void start(SandboxLock letGo) {
    letGo.next().ifPresent(turn -> tasks.fail(of(letGo, turn), SANDBOX_FREE));
  }

  private static TurnKey of(SandboxLock box, TurnId turn) {
    return box.holder().session().turn(turn);
  }
}
