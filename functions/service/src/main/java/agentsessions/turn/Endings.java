package agentsessions.turn;

import static agentsessions.turn.Guards.asSeen;
import static agentsessions.turn.Guards.fenced;

import agentsessions.aws.Bucket;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.message.CountedTurn;
import agentsessions.store.message.MessageCopies;
import agentsessions.store.request.ClosingQuestions;
import agentsessions.store.request.ClosingRequest;
import agentsessions.store.request.RequestWrites;
import agentsessions.store.session.SessionPointers;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Shards;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import agentsessions.table.item.TurnRow;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The endings of a turn: its runner reports a result, the service gives it up, or its client
/// cancels it or deletes the session. (A follow-up ends it as well: `intake.BegunFollowUp`.)
///
/// Why: decision 007.
@Singleton
public final class Endings {
  private final Announcer announcer;
  private final Sessions sessions;
  private final Turns turns;
  private final Bucket bucket;
  private final Handover handover;
  private final TurnQueue queue;
  private final ClosingQuestions questions;
  private final Clock clock;

  public Endings(
      Announcer announcer,
      Sessions sessions,
      Turns turns,
      Bucket bucket,
      Handover handover,
      TurnQueue queue,
      ClosingQuestions questions,
      Clock clock) {
    this.announcer = announcer;
    this.sessions = sessions;
    this.turns = turns;
    this.bucket = bucket;
    this.handover = handover;
    this.queue = queue;
    this.questions = questions;
    this.clock = clock;
  }

  /// Ends a turn with the result that its runner reports. False if the turn is no longer this
  /// runner's.
  ///
  /// @param known the plans of the session, read with the turn; ignored if the result has none
  public boolean end(Turn turn, Ending ending, Plans known) {
    return end(turn, ending, known, Optional.empty());
  }

  /// The same, and the sandbox is released in the same transaction. False also if another turn has
  /// begun to wait for the sandbox since its lock was read.
  ///
  /// @param lock the lock of the sandbox, read with the turn, if it is to be released; ignored if
  ///   this runner does not hold it
  public boolean end(Turn turn, Ending ending, Plans known, Optional<Item> lock) {
    Optional<SandboxLock> held =
        lock.flatMap(item -> SandboxLock.of(turn.key().sessionKey(), item))
            .filter(sandboxLock -> sandboxLock.isHeldBy(turn));
    Optional<Turn> seen = Optional.of(turn);
    while (seen.isPresent()) {
      if (reported(seen.get(), ending, known, held)) {
        held.ifPresent(handover::start);
        return true;
      }
      seen = otherwiseHeld(seen.get());
    }
    return false;
  }

  private boolean reported(
      Turn turn, Ending ending, Plans known, Optional<SandboxLock> sandboxLock) {
    Optional<ClosingQuestions.Asked> asked = questions.of(turn, ending);
    boolean isMissing =
        asked.filter(ClosingQuestions.Asked.AboutPlan.class::isInstance).isPresent()
            && Artifact.latestPlan(ending.artifacts()).isEmpty();
    return end(
        turn,
        EndingWrites.of(turn, known, ending.artifacts())
            .asking(isMissing ? Optional.empty() : asked),
        (isMissing ? ending.withoutPlan() : ending).withoutWaiting(),
        fenced(turn).set(TurnItem.REPORTED, true),
        sandboxLock.map(lock -> lock.release(Guards.sandboxLock(turn)).update()).stream().toList());
  }

  /// The turn, where it is still its runner's, and a decision or its absence is all that kept it
  /// from ending.
  private Optional<Turn> otherwiseHeld(Turn seen) {
    return turns
        .load(seen.key())
        .filter(now -> now.fence() == seen.fence() && now.isRunning())
        .filter(now -> !now.held().equals(seen.held()));
  }

  /// Ends a turn without its runner, if it is still as it was read, so that a turn whose lease was
  /// renewed meanwhile is not touched.
  public boolean endAsSeen(Turn turn, Ending ending) {
    EndingWrites nothing = EndingWrites.of(turn, Plans.NONE, List.of());
    return end(turn, nothing, ending, asSeen(turn), List.of());
  }

  /// The turns that a client wants to cancel: the running one, and those that wait for it.
  ///
  /// @param onlyRunning whether those that wait are to stay
  /// @param expected the turn that is believed to run; nothing is cancelled if it is another
  public record Cancellation(boolean onlyRunning, @Nullable TurnId expected) {
    public static final Cancellation ALL = new Cancellation(false, null);
  }

  /// Cancels the live turn of a session, and those that wait, and closes a request that waits after
  /// its last turn; where there is nothing of it, nothing changes. Returns the current turn
  /// afterwards; empty if there is no such session.
  public Optional<Turn> cancel(SessionKey key, Cancellation wanted) {
    for (int tries = 0; ; tries++) {
      Optional<Session> found = sessions.load(key);
      Optional<Turn> turn = found.flatMap(this::current);
      if (turn.isEmpty() || isDone(wanted, found.get(), turn.get())) {
        return turn;
      }
      if (cancelled(wanted, found.get(), turn.get())) {
        if (wanted.onlyRunning()) {
          queue.next(key);
        }
        boolean isClosed = !wanted.onlyRunning() && found.get().closingRequest().isPresent();
        return (isClosed ? sessions.load(key) : found).flatMap(this::current);
      }
      Retries.pause("cancel", tries);
    }
  }

  private static boolean isDone(Cancellation wanted, Session session, Turn turn) {
    if (wanted.expected() != null && !wanted.expected().equals(turn.id())) {
      return true;
    }
    boolean isIdle = session.waiting().isEmpty() && session.closingRequest().isEmpty();
    return !turn.live() && (wanted.onlyRunning() || isIdle);
  }

  /// Hides a session for good and ends its turn; the sweep removes its data later. False if there
  /// is no such session.
  public boolean delete(SessionKey key) {
    for (int tries = 0; ; tries++) {
      Optional<Session> found = sessions.load(key);
      if (found.isEmpty()) {
        return false;
      }
      Session session = found.get();
      if (deleted(session)) {
        return true;
      }
      Retries.pause("delete", tries);
    }
  }

  private boolean end(
      Turn turn, EndingWrites endingWrites, Ending ending, Change guarded, List<Write> more) {
    if (turn.work().job() != null) {
      return end(turn, turn.work().job(), endingWrites, ending, guarded, more);
    }
    Instant now = clock.instant();
    // The webhook events of the claim, of a request that is over and of each plan have stamps of
    // their own before the end.
    Stamp line = Stamp.after(turn.lastStamp().plusMicros(2L + endingWrites.recorded().size()), now);
    Stamp stamp = endingWrites.fits() ? line : Stamp.after(line, now);
    Change guardedTurn = Guards.notHeld(endingWrites.counted(guarded), turn, now);
    Change ofTurn = ended(guardedTurn, endingWrites, ending, now, stamp);
    Change session =
        idle(SessionItem.change(turn.key().sessionKey()), stamp, ending.status())
            .set(SessionItem.PREVIEW, Session.Last.preview(ending.text()))
            .remove(SessionItem.REQUEST)
            .when("#current = :turn")
            .with("turn", SessionItem.CURRENT, turn.id());
    List<Write> sums =
        Settlement.atEnd(turn, Optional.ofNullable(ending.usage()), now, ofTurn, session);
    if (!ending.repositories().isEmpty()) {
      ofTurn.set(TurnItem.REPOSITORIES, ending.repositories());
      session.set(SessionItem.REPOSITORIES, ending.repositories());
    }
    Optional<ClosingRequest> left = endingWrites.request(turn.key(), stamp);
    List<Write> writes = writes(ofTurn, session, left);
    PendingEvents events = events(turn, endingWrites, ending, stamp);
    Message closing = closing(turn, ending, stamp);
    writes.addAll(MessageCopies.put(closing, 0));
    writes.add(CountedTurn.closed(closing, endingWrites.lines()));
    writes.add(
        Change.of(Layout.working(turn.key().sessionKey(), turn.stamps().sessionCreated()))
            .delete());
    writes.addAll(endingWrites.writes(line));
    writes.addAll(sums);
    writes.addAll(more);
    writes.addAll(
        hasExpired(turn, ending) ? RequestWrites.expired(turn) : RequestWrites.closed(turn));
    boolean committed =
        announcer
            .write(writes, left.map(request -> request.after(events)).orElse(events))
            .committed();
    if (committed) {
      queue.next(turn.key().sessionKey());
    }
    return committed;
  }

  /// The writes of a turn or a job and its session, and of the request that its end leaves.
  private static List<Write> writes(Change turn, Change session, Optional<ClosingRequest> left) {
    left.ifPresent(request -> request.note(session));
    List<Write> writes = new ArrayList<>(List.of(turn.update(), session.update()));
    left.map(ClosingRequest::writes).ifPresent(writes::addAll);
    return writes;
  }

  private static PendingEvents events(
      Turn turn, EndingWrites endingWrites, Ending ending, Stamp stamp) {
    PendingEvents none = PendingEvents.of(turn.key().sessionKey(), turn.work().hasWebhook());
    Stamp over = stamp.plusMicros(-1L - endingWrites.recorded().size());
    PendingEvents events =
        hasExpired(turn, ending)
            ? none.expired(turn.id(), turn.held().orElseThrow().request(), over)
            : none.closed(turn.id(), turn.held(), over);
    return events.plans(endingWrites.recorded(), stamp).turn(turn.id(), ending.status(), stamp);
  }

  /// Whether a turn ends since nobody decided on the request for which it is parked.
  private static boolean hasExpired(Turn turn, Ending ending) {
    return turn.state() instanceof Turn.State.Parked
        && TurnError.requestExpired().equals(ending.error());
  }

  /// Ends a job: it leaves its outcome with the session's repositories, and no message. Where a
  /// person must be asked first, it leaves the request.
  private boolean end(
      Turn turn,
      PushJob job,
      EndingWrites endingWrites,
      Ending ending,
      Change guarded,
      List<Write> more) {
    Instant now = clock.instant();
    SessionKey key = turn.key().sessionKey();
    Stamp stamp = Stamp.after(turn.lastStamp(), now);
    Change ofTurn =
        guarded.set(TurnItem.STATUS, ending.status()).set(TurnItem.ENDED_AT, now).notDue();
    Change session =
        SessionItem.change(key)
            .set(SessionItem.REPOSITORIES, repositories(turn, job, ending))
            .set(SessionItem.UPDATED, stamp)
            .remove(SessionItem.JOB, SessionItem.JOB_IS_PUSH)
            .when("#job = :job")
            .with("job", SessionItem.JOB, turn.id());
    // Beside a job no turn begins, so the session's last one stays so.
    Optional<Session> seen = endingWrites.asked().flatMap(_ -> sessions.load(key));
    Optional<ClosingRequest> left =
        seen.flatMap(waiting -> endingWrites.request(waiting.current(), stamp));
    List<Write> writes = writes(ofTurn, session, left);
    writes.addAll(more);
    PendingEvents events = PendingEvents.of(key, seen.filter(Session::hasWebhook).isPresent());
    boolean committed =
        announcer
            .write(writes, left.map(request -> request.after(events)).orElse(events))
            .committed();
    if (committed) {
      queue.next(key);
    }
    return committed;
  }

  private static List<Repository> repositories(Turn turn, PushJob job, Ending ending) {
    TurnError error = ending.error();
    return error == null
        ? ending.repositories()
        : job.failed(
            turn.work().repositories(), ending.repositories(), error.code(), error.message());
  }

  private static Change ended(
      Change turn, EndingWrites endingWrites, Ending ending, Instant now, Stamp stamp) {
    turn.set(TurnItem.STATUS, ending.status())
        .set(TurnItem.ENDED_AT, now)
        .set(TurnItem.ARTIFACTS, endingWrites.recorded().size())
        .set(TurnItem.LAST, stamp)
        .notDue()
        .when("#last_ts < :ts")
        .with("ts", TurnItem.LAST, stamp);
    if (ending.error() != null) {
      turn.set(TurnItem.ERROR, ending.error());
    }
    if (bytes(ending.text()) <= TurnRow.REPLY_BYTES) {
      turn.set(TurnItem.REPLY, ending.text());
    }
    return turn;
  }

  private static Change idle(Change session, Stamp stamp, TurnStatus outcome) {
    return session
        .set(SessionItem.LAST, stamp)
        .set(SessionItem.WORKING, false)
        .set(SessionItem.UPDATED, stamp)
        .set(SessionItem.OUTCOME, outcome);
  }

  private Message closing(Turn turn, Ending ending, Stamp stamp) {
    Message.Text text = new Message.Text.Inline(ending.text());
    if (bytes(ending.text()) > TurnEvents.INLINE_BYTES) {
      String object = "texts/%s/%s/%d".formatted(turn.sessionId(), turn.id(), turn.fence());
      bucket.putText(object, ending.text());
      text = new Message.Text.Stored(object);
    }
    return new Message(turn.key(), MessageKind.FINAL, stamp, 0, text, ending.status());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private boolean cancelled(Cancellation wanted, Session session, Turn turn) {
    Instant now = clock.instant();
    Stamp last = Interruption.lastStamp(session, turn);
    Stamp stamp = turn.live() ? Interruption.stamp(last, now) : Stamp.after(last, now);
    Change change =
        TurnQueue.asSeen(session)
            .set(SessionItem.UPDATED, stamp)
            .when("#current = :current")
            .with("current", SessionItem.CURRENT, session.currentTurn());
    List<Write> writes = new ArrayList<>();
    PendingEvents events = PendingEvents.of(session.key(), session.hasWebhook());
    if (turn.live()) {
      idle(change, stamp, TurnStatus.CANCELLED).remove(SessionItem.PREVIEW, SessionItem.REQUEST);
      Change end = Interruption.of(turn, now, TurnStatus.CANCELLED, stamp);
      writes.addAll(Interruption.writes(end, turn, now, change));
      writes.add(Change.of(Layout.working(session.key(), session.createdAt())).delete());
      events =
          events
              .closed(turn.id(), turn.held(), stamp.plusMicros(-1))
              .turn(turn.id(), TurnStatus.CANCELLED, stamp);
    }
    if (!wanted.onlyRunning()) {
      if (session.closingRequest().isPresent()) {
        Change _ = TurnQueue.closing(change, session).set(SessionItem.LAST, stamp);
        writes.addAll(RequestWrites.closed(session));
        events = events.closed(turn.id(), session.closingRequest(), stamp);
      }
      change.remove(SessionItem.WAITING);
      for (TurnId waiting : session.waiting()) {
        writes.addAll(TurnQueue.cancelled(session.key().turn(waiting), now, false));
        events = events.turn(waiting, TurnStatus.CANCELLED, stamp);
      }
    }
    writes.addFirst(change.update());
    return announcer.write(writes, events).committed();
  }

  private boolean deleted(Session session) {
    List<Turn> first = turns.first(session.key());
    Optional<Turn> current = current(session, first);
    Stamp last = current.map(turn -> Interruption.lastStamp(session, turn)).orElse(Stamp.ZERO);
    Stamp stamp = Interruption.stamp(last, clock.instant());
    Change hidden = hidden(session);
    List<Write> writes = new ArrayList<>();
    current
        .filter(_ -> session.working())
        .ifPresent(turn -> writes.addAll(cancelled(turn, stamp, hidden)));
    writes.addFirst(hidden.update());
    writes.addAll(RequestWrites.closed(session));
    session.job().flatMap(turns::load).ifPresent(job -> writes.addAll(cancelled(job)));
    for (TurnId waiting : session.waiting()) {
      writes.addAll(TurnQueue.cancelled(session.key().turn(waiting), clock.instant(), true));
    }
    writes.addAll(marked(session, first));
    writes.add(Change.of(Layout.working(session.key(), session.createdAt())).delete());
    writes.addAll(SessionPointers.removed(session));
    Optional<Turn.Held> open =
        current.filter(_ -> session.working()).flatMap(Turn::held).or(session::closingRequest);
    PendingEvents events =
        PendingEvents.of(session.key(), session.hasWebhook())
            .closed(session.currentTurn(), open, stamp.plusMicros(-1));
    if (session.working()) {
      events = events.turn(session.currentTurn(), TurnStatus.CANCELLED, stamp);
    }
    for (TurnId waiting : session.waiting()) {
      events = events.turn(waiting, TurnStatus.CANCELLED, stamp);
    }
    return announcer.write(writes, events.deleted(stamp.plusMicros(1))).committed();
  }

  private List<Write> cancelled(Turn turn, Stamp stamp, Change session) {
    Instant now = clock.instant();
    Change end =
        Interruption.of(turn, now, TurnStatus.CANCELLED, stamp).set(TurnItem.DELETED, true);
    return Interruption.writes(end, turn, now, session);
  }

  /// A job that has ended meanwhile is none of the session any more.
  private List<Write> cancelled(Turn job) {
    Instant now = clock.instant();
    return List.of(
        Interruption.of(job, now, TurnStatus.CANCELLED, Interruption.stamp(job.lastStamp(), now))
            .update());
  }

  private Change hidden(Session session) {
    Change change = TurnQueue.closing(TurnQueue.asSeen(session), session);
    Change alone =
        session
            .job()
            .map(job -> change.when("#job = :job").with("job", SessionItem.JOB, job.id()))
            .orElseGet(() -> change.when("attribute_not_exists(#job)"));
    return alone
        .set(SessionItem.DELETED, true)
        .set(SessionItem.WORKING, false)
        .remove(SessionItem.REQUEST, SessionItem.JOB, SessionItem.JOB_IS_PUSH)
        .due(Shards.purge(Layout.meta(session.key())), clock.instant())
        .when("#turn_seq = :seen AND #working = :working")
        .with("seen", SessionItem.TURN_NUMBER, session.turns().number())
        .with("working", SessionItem.WORKING, session.working());
  }

  /// Marks the first turns, so that their polls need not read the session.
  private static List<Write> marked(Session session, List<Turn> first) {
    return first.stream()
        .filter(turn -> !(session.working() && turn.key().equals(session.current())))
        .filter(turn -> !session.waiting().contains(turn.id()))
        .map(turn -> Guards.ended(turn).set(TurnItem.DELETED, true).update())
        .toList();
  }

  private Optional<Turn> current(Session session, List<Turn> first) {
    return first.stream()
        .filter(turn -> turn.key().equals(session.current()))
        .findFirst()
        .or(() -> current(session));
  }

  private Optional<Turn> current(Session session) {
    return turns.load(session.current()).map(turn -> turn.seenFrom(session));
  }
}
