package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.store.session.Turns;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The tasks that wait for their session's next turn: one a session at most, the one that said so
/// last.
///
/// A waiting task polls. The launch of a turn offers it the turn, waits a moment for it to take the
/// turn, and otherwise takes the offer back and starts a new task. If both should get a ticket,
/// only the later one is good, so that the claim decides.
@Singleton
public final class Standby {
  private static final Schema STANDBY = new Schema();
  private static final Attribute<String> HASH =
      STANDBY.attribute("token_hash", AttributeFormat.TEXT);
  private static final Attribute<String> TASK = STANDBY.attribute("task", AttributeFormat.TEXT);
  private static final Attribute<Long> NUMBER = STANDBY.attribute("number", AttributeFormat.NUMBER);
  private static final Attribute<Instant> UNTIL =
      STANDBY.attribute("until", AttributeFormat.INSTANT);
  private static final Attribute<TurnId> OFFERED =
      STANDBY.attribute("offered", AttributeFormat.TURN);
  private static final Attribute<Integer> DISPATCH =
      STANDBY.attribute("dispatch", AttributeFormat.COUNT);
  private static final Attribute<Integer> ATTEMPT =
      STANDBY.attribute("attempt", AttributeFormat.COUNT);
  private static final Attribute<Boolean> TAKEN = STANDBY.attribute("taken", AttributeFormat.FLAG);

  private static final Duration POLL = Duration.ofMillis(200);

  /// The time from the ticket to the claim of a task that runs already.
  private static final Duration TO_CLAIM = Duration.ofSeconds(45);

  private final Table table;
  private final Turns turns;
  private final Dispatches dispatches;
  private final TaskCallbacks tasks;
  private final Clock clock;
  private final Duration longest;
  private final RetryPolicy<Boolean> polls;

  /// @param idleSeconds the longest wait of a task
  /// @param offerMillis the time for a waiting task, which polls each second, to take a turn
  public Standby(
      Table table,
      Turns turns,
      Dispatches dispatches,
      TaskCallbacks tasks,
      Clock clock,
      @Property(name = "idle.seconds", defaultValue = "300") int idleSeconds,
      @Property(name = "offer.millis", defaultValue = "3000") int offerMillis) {
    this.table = table;
    this.turns = turns;
    this.dispatches = dispatches;
    this.tasks = tasks;
    this.clock = clock;
    this.longest = Duration.ofSeconds(idleSeconds);
    this.polls =
        RetryPolicy.<Boolean>builder()
            .handleResult(false)
            .withDelay(POLL)
            .withMaxRetries(offerMillis / (int) POLL.toMillis())
            .build();
  }

  /// A ticket for the next turn, with the attempt it is good for.
  public record Next(String ticket, int attempt) {
    /// Without the ticket, so that no log can hold it.
    @Override
    public String toString() {
      return "next by attempt " + attempt;
    }
  }

  /// Notes that the task of this turn will wait for the next one. A repeat gets the same answer.
  ///
  /// @param token of the turn
  /// @return the credential with which the task polls; empty where the task of a later turn waits
  ///   already
  public Optional<RunnerCredential> begin(Turn turn, RunnerCredential token, Duration wait) {
    RunnerCredential waiting = token.waiting();
    Instant until = clock.instant().plus(wait.compareTo(longest) < 0 ? wait : longest);
    Change begin =
        change(turn.key().sessionKey())
            .set(HASH, waiting.hash())
            .set(NUMBER, turn.number())
            .set(UNTIL, until)
            .when("(attribute_not_exists(#PK) OR #number <= :seen)")
            .with("seen", NUMBER, turn.number());
    tasks.started(turn.key()).ifPresent(task -> begin.set(TASK, task));
    return table.write(begin.put()).committed() ? Optional.of(waiting) : Optional.empty();
  }

  /// The answer to the poll of a waiting task; a repeated poll gets the same one.
  public sealed interface Answer {
    record Run(Next next) implements Answer {}

    record Wait() implements Answer {}

    record End() implements Answer {}
  }

  /// Answers a poll by one read as long as there is nothing to do, and by one more where the turn
  /// on offer has moved on.
  public Answer ask(RunnerCredential waiting) {
    SessionKey key = waiting.turn().sessionKey();
    Optional<Item> found = table.item(Layout.standby(key)).filter(item -> isOf(item, waiting));
    if (found.isEmpty()) {
      return new Answer.End();
    }
    return found
        .flatMap(item -> Offer.of(key, item))
        .flatMap(offer -> take(waiting, offer))
        .<Answer>map(Answer.Run::new)
        .orElseGet(Answer.Wait::new);
  }

  private Optional<Next> take(RunnerCredential waiting, Offer offer) {
    return turns
        .load(offer.turn())
        .filter(turn -> turn.dispatch() == offer.dispatch())
        .filter(turn -> turn.state() instanceof Turn.State.Queued)
        .filter(_ -> markTaken(waiting, offer))
        .flatMap(turn -> ticket(waiting, turn, offer));
  }

  private boolean markTaken(RunnerCredential waiting, Offer offer) {
    Change take =
        change(waiting.turn().sessionKey())
            .set(TAKEN, true)
            .when("#token_hash = :hash AND #offered = :turn AND #dispatch = :dispatch")
            .with("hash", HASH, waiting.hash())
            .with("turn", OFFERED, offer.turn().id())
            .with("dispatch", DISPATCH, offer.dispatch());
    return table.write(take.update()).committed();
  }

  private Optional<Next> ticket(RunnerCredential waiting, Turn turn, Offer offer) {
    offer.task().ifPresent(task -> tasks.begun(turn.key(), turn.dispatch(), task));
    RunnerCredential ticket = RunnerCredential.ticket(turn, offer.attempt(), waiting);
    return dispatches.recordLaunch(turn, ticket.hash(), TO_CLAIM)
        ? Optional.of(new Next(ticket.text(), offer.attempt()))
        : Optional.empty();
  }

  /// Offers a turn to the session's waiting task, if there is one, and waits for it to take the
  /// turn. True where it has: then it will claim the turn.
  boolean offer(Turn turn, int attempt) {
    return announce(turn, attempt) && awaitTaken(turn);
  }

  /// Writes the offer; false where no task waits.
  boolean announce(Turn turn, int attempt) {
    Change offer =
        change(turn.key().sessionKey())
            .set(OFFERED, turn.id())
            .set(DISPATCH, turn.dispatch())
            .set(ATTEMPT, attempt)
            .remove(TAKEN)
            .when("#until > :now")
            .with("now", UNTIL, clock.instant());
    return table.write(offer.update()).committed();
  }

  boolean awaitTaken(Turn turn) {
    return Failsafe.with(polls).get(() -> isTaken(turn)) || !takeBack(turn);
  }

  private boolean isTaken(Turn turn) {
    return table
        .item(Layout.standby(turn.key().sessionKey()))
        .filter(item -> item.flag(TAKEN))
        .isPresent();
  }

  /// Takes the offer back: a task that did not answer counts as gone.
  private boolean takeBack(Turn turn) {
    Change gone = change(turn.key().sessionKey()).when("attribute_not_exists(#taken)");
    return table.write(List.of(gone.delete())).committed();
  }

  private static Change change(SessionKey key) {
    return STANDBY.change(Layout.standby(key));
  }

  private static boolean isOf(Item item, RunnerCredential waiting) {
    return MessageDigest.isEqual(
        item.get(HASH).getBytes(StandardCharsets.US_ASCII),
        waiting.hash().getBytes(StandardCharsets.US_ASCII));
  }

  /// The offer of a turn to the waiting task.
  ///
  /// @param task the engine's id of that task, where it is known
  private record Offer(TurnKey turn, int dispatch, int attempt, Optional<String> task) {
    static Optional<Offer> of(SessionKey key, Item item) {
      return item.optional(OFFERED)
          .map(turn ->
              new Offer(
                  key.turn(turn), item.get(DISPATCH), item.get(ATTEMPT), item.optional(TASK)));
    }
  }
}
