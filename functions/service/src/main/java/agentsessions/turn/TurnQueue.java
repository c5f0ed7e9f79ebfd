package agentsessions.turn;

import agentsessions.aws.Executions;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.request.RequestWrites;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Unavailable;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import agentsessions.table.item.WaitingMessageItem;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The queue of a session: the turns that wait for the current one. Whatever ends that one begins
/// the first of them afterwards; where that is lost, the sweep does it.
///
/// Why: decision 033.
@Singleton
public final class TurnQueue {
  private static final Logger LOG = LoggerFactory.getLogger(TurnQueue.class);

  /// The most turns of a session that wait.
  public static final int MOST = 20;

  private final Table table;
  private final Announcer announcer;
  private final Sessions sessions;
  private final Turns turns;
  private final BeanProvider<Executions> executions;
  private final Clock clock;
  private final StartGrace startGrace;
  private final boolean isAbleToStart;

  /// @param stateMachine empty in a function that cannot know it, since it is a step of it: there
  ///   the sweep starts the turn
  public TurnQueue(
      Table table,
      Announcer announcer,
      Sessions sessions,
      Turns turns,
      BeanProvider<Executions> executions,
      Clock clock,
      StartGrace startGrace,
      @Property(name = "state.machine", defaultValue = "") String stateMachine) {
    this.table = table;
    this.announcer = announcer;
    this.sessions = sessions;
    this.turns = turns;
    this.executions = executions;
    this.clock = clock;
    this.startGrace = startGrace;
    this.isAbleToStart = !stateMachine.isEmpty();
  }

  /// The outcome of a client's wish to take a turn out of the queue.
  public sealed interface Removal {
    /// It has not begun and never will, now or since an earlier call.
    record Removed(Turn turn) implements Removal {}

    record Begun(Turn turn) implements Removal {}

    record None() implements Removal {}
  }

  /// A change of a session whose queue is as it was read.
  public static Change asSeen(Session session) {
    Change change = SessionItem.change(session.key()).when("attribute_not_exists(#deleted)");
    return session.waiting().isEmpty()
        ? change.when("attribute_not_exists(#waiting)")
        : change
            .when("#waiting = :waiting")
            .with("waiting", SessionItem.WAITING, session.waiting());
  }

  /// The same for a turn that begins, beside no job, with the permissions that were read.
  public static Change asPermitted(Session session) {
    return permitted(asSeen(session).when("attribute_not_exists(#job)"), session);
  }

  /// Makes a change of a session one whose permissions are as they were read: what begins with it
  /// keeps them.
  public static Change permitted(Change change, Session session) {
    String permissions = session.permissions();
    return permissions == null
        ? change.when("attribute_not_exists(#permissions)")
        : change
            .when("#permissions = :permissions")
            .with("permissions", SessionItem.PERMISSIONS, permissions);
  }

  /// Makes a change of a session one whose repositories are as they were read, where no turn runs.
  /// A whole job may have been made since; it leaves another time of the last change.
  public static Change asLeft(Change change, Session session) {
    return session.working() || session.configuration().repositories().isEmpty()
        ? change
        : change
            .when("#updated = :seen_updated")
            .with("seen_updated", SessionItem.UPDATED, session.updatedAt());
  }

  /// Makes a change of a session the end of its wait for a decision, if it waits: what is closed
  /// with it must be all that waits.
  public static Change closing(Change change, Session session) {
    change.remove(SessionItem.CLOSING_REQUEST, SessionItem.CLOSING_SINCE);
    return session
        .closingRequest()
        .map(waiting ->
            change
                .when("#plan = :plan")
                .with("plan", SessionItem.CLOSING_REQUEST, waiting.request()))
        .orElseGet(() -> change.when("attribute_not_exists(#plan)"));
  }

  /// Begins the first turn that waits, if no turn of its session is live. A fault costs that turn
  /// time, and must not fail what ended the turn before.
  public void next(SessionKey key) {
    try {
      sessions.load(key).ifPresent(this::next);
    } catch (Unavailable later) {
      LOG.atWarn()
          .addKeyValue("session", key.id())
          .addKeyValue("fault", String.valueOf(later.getMessage()))
          .log("queue.next_not_begun");
    }
  }

  private void next(Session session) {
    Optional<Session> seen = Optional.of(session);
    for (int tries = 0; seen.filter(this::hasNext).isPresent() && !begun(seen.get()); tries++) {
      Retries.pause("queue", tries);
      seen = sessions.load(session.key());
    }
  }

  private boolean hasNext(Session session) {
    return !session.working() && session.job().isEmpty() && !session.waiting().isEmpty();
  }

  private boolean begun(Session session) {
    TurnKey first = session.key().turn(session.waiting().getFirst());
    Map<Layout.Key, Item> items = table.items(List.of(Layout.turn(first), Layout.waiting(first)));
    Optional<Turn> waiting =
        Optional.ofNullable(items.get(Layout.turn(first))).map(TurnItem::read).filter(Turn::waits);
    Optional<Item> message = Optional.ofNullable(items.get(Layout.waiting(first)));
    if (waiting.isEmpty() || message.isEmpty()) {
      return false; // the queue has changed meanwhile
    }
    Instant now = clock.instant();
    Stamp stamp = Stamp.after(session.turns().lastStamp(), now);
    Turn next = waiting.get().begun(session, stamp, isAbleToStart ? startGrace.dueAt(now) : now);
    PendingEvents events =
        PendingEvents.of(session.key(), session.hasWebhook())
            .closed(session.currentTurn(), session.closingRequest(), stamp);
    boolean begun =
        announcer.write(writes(session, waiting.get(), next, message.get()), events).committed();
    if (begun && isAbleToStart) {
      executions.get().start(next.key(), next.dispatch());
    }
    return begun;
  }

  private static List<Write> writes(Session session, Turn waiting, Turn next, Item message) {
    Change moved =
        closing(asPermitted(session), session)
            .replace(SessionItem.WAITING, rest(session.waiting(), next.id()))
            .set(SessionItem.CURRENT, next.id())
            .set(SessionItem.TURN_NUMBER, next.number())
            .set(SessionItem.WORKING, true)
            .set(SessionItem.UPDATED, next.firstStamp())
            .when("#turn_seq = :seen")
            .with("seen", SessionItem.TURN_NUMBER, session.turns().number());
    if (waiting.work().model() != null) {
      moved.set(SessionItem.MODEL, waiting.work().model());
    }
    List<Write> writes = new ArrayList<>(List.of(moved.update()));
    writes.addAll(RequestWrites.closed(session));
    writes.add(TurnItem.put(next).when("attribute_exists(#waits)").put());
    writes.add(Change.of(Layout.waiting(next.key())).delete());
    writes.add(Change.of(Layout.waitingMark(next.key())).delete());
    writes.addAll(MessageWrites.of(next, WaitingMessageItem.message(message, next.receipt())));
    return writes;
  }

  private static Optional<List<TurnId>> rest(List<TurnId> waiting, TurnId gone) {
    List<TurnId> rest = waiting.stream().filter(turn -> !turn.equals(gone)).toList();
    return Optional.of(rest).filter(left -> !left.isEmpty());
  }

  /// Takes a turn out of the queue, as cancelled.
  public Removal remove(TurnKey key) {
    for (int tries = 0; ; tries++) {
      Optional<Session> session = sessions.load(key.sessionKey());
      Optional<Turn> turn = session.flatMap(_ -> turns.load(key));
      if (turn.isEmpty()) {
        return new Removal.None();
      }
      if (!turn.get().waits()) {
        return turn.get().number() == 0
            ? new Removal.Removed(turn.get())
            : new Removal.Begun(turn.get());
      }
      if (removed(session.get(), turn.get())) {
        return new Removal.Removed(turns.load(key).orElse(turn.get()));
      }
      Retries.pause("cancel", tries);
    }
  }

  private boolean removed(Session session, Turn turn) {
    Instant now = clock.instant();
    Stamp stamp = Stamp.after(session.updatedAt(), now);
    List<Write> writes = new ArrayList<>();
    writes.add(
        asSeen(session)
            .replace(SessionItem.WAITING, rest(session.waiting(), turn.id()))
            .set(SessionItem.UPDATED, stamp)
            .update());
    writes.addAll(cancelled(turn.key(), now, false));
    PendingEvents events =
        PendingEvents.of(session.key(), session.hasWebhook())
            .turn(turn.id(), TurnStatus.CANCELLED, stamp);
    return announcer.write(writes, events).committed();
  }

  /// The end of a turn that waits.
  ///
  /// @param deleted whether its session is deleted with it
  static List<Write> cancelled(TurnKey turn, Instant now, boolean deleted) {
    Change change =
        TurnItem.change(turn)
            .set(TurnItem.STATUS, TurnStatus.CANCELLED)
            .set(TurnItem.ENDED_AT, now)
            .notDue()
            .when("attribute_exists(#waits)");
    if (deleted) {
      change.set(TurnItem.DELETED, true);
    }
    return List.of(change.update(), Change.of(Layout.waitingMark(turn)).delete());
  }
}
