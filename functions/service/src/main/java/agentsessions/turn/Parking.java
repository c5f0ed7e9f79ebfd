package agentsessions.turn;

import static agentsessions.turn.Guards.fenced;

import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.request.Request;
import agentsessions.session.usage.Usage;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.RequestItem;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The parking of turns: a runner whose agent waits for a decision leaves its turn and the sandbox,
/// and until someone decides, or the request expires, nothing runs. It settles nothing. A decision
/// that came while the runner was leaving queues the turn again at once.
///
/// Why: decision 045.
@Singleton
public final class Parking {
  private final Table table;
  private final Sandboxes sandboxes;
  private final Resumptions resumptions;
  private final Clock clock;

  public Parking(Table table, Sandboxes sandboxes, Resumptions resumptions, Clock clock) {
    this.table = table;
    this.sandboxes = sandboxes;
    this.resumptions = resumptions;
    this.clock = clock;
  }

  /// The outcome of a runner's wish to park its turn.
  public enum Outcome {
    /// The turn is parked, now or since an earlier call, or is queued again.
    PARKED,
    /// It stays the runner's: what it made is not saved, or it cannot be parked for this request.
    REFUSED,
    /// It is no longer the runner's.
    NOT_LIVE
  }

  /// A runner's wish to park its turn.
  ///
  /// @param request the request that its agent waits for
  /// @param untouched whether the turn changed nothing that would have to be saved
  /// @param used its usage by now, if its runner reports it
  public record Wish(RequestId request, boolean untouched, Optional<Usage> used) {}

  /// Parks a turn; the same again changes nothing.
  ///
  /// @param mine the turn as its runner has it
  public Outcome park(Turn mine, Wish wish) {
    for (int tries = 0; ; tries++) {
      Map<Layout.Key, Item> found = found(mine, wish);
      Optional<Turn> turn =
          Optional.ofNullable(found.get(Layout.turn(mine.key())))
              .map(TurnItem::read)
              .filter(now -> now.fence() == mine.fence());
      if (turn.filter(Turn::isPaused)
          .flatMap(Turn::parked)
          .filter(wish.request()::equals)
          .isPresent()) {
        return Outcome.PARKED;
      }
      Optional<Leaving> leaving =
          turn.filter(Turn::isRunning).flatMap(now -> leaving(now, wish, found));
      if (leaving.isEmpty()) {
        return Outcome.NOT_LIVE;
      }
      switch (leave(leaving.get(), clock.instant())) {
        case DONE -> {
          return Outcome.PARKED;
        }
        case REFUSED -> {
          return Outcome.REFUSED;
        }
        case CHANGED -> Retries.pause("parking", tries);
      }
    }
  }

  private Map<Layout.Key, Item> found(Turn turn, Wish wish) {
    SessionKey session = turn.key().sessionKey();
    return table.items(
        List.of(
            Layout.turn(turn.key()),
            Layout.sandboxLock(session),
            Layout.request(session, wish.request())));
  }

  /// A runner that leaves its turn, as it was read.
  ///
  /// @param parkable whether the turn can be parked for the request
  private record Leaving(
      Turn turn, Wish wish, SandboxLock lock, Request request, boolean parkable) {
    boolean isHeld() {
      return turn.held().filter(held -> held.request().equals(request.id())).isPresent();
    }

    /// Whether the turn was not yet queued again with the decision on the request.
    boolean isFirst() {
      return turn.parked().filter(request.id()::equals).isEmpty();
    }

    /// The usage of the turn by now.
    Usage used(Instant now) {
      Usage kept = turn.account().usage().then(lock.usage());
      Usage total = wish.used().map(kept::then).orElseGet(kept::incomplete);
      return total.at(turn.activeMillis(now));
    }

    /// The change of the turn, as its runner leaves it.
    Change asLeft(Change change, Instant now) {
      return change
          .set(TurnItem.PARKED, request.id())
          .set(TurnItem.USAGE, used(now))
          .remove(TurnItem.LEASE_UNTIL, TurnItem.TICKET_HASH);
    }
  }

  private static Optional<Leaving> leaving(Turn turn, Wish wish, Map<Layout.Key, Item> found) {
    SessionKey session = turn.key().sessionKey();
    Optional<Item> request =
        Optional.ofNullable(found.get(Layout.request(session, wish.request())))
            .filter(item -> RequestItem.read(item).turn().equals(turn.key()));
    return Optional.ofNullable(found.get(Layout.sandboxLock(session)))
        .flatMap(item -> SandboxLock.of(session, item))
        .filter(lock -> lock.isHeldBy(turn))
        .flatMap(lock ->
            request.map(item ->
                new Leaving(turn, wish, lock, RequestItem.read(item), item.has(RequestItem.CALL))));
  }

  private Sandboxes.Departure leave(Leaving leaving, Instant now) {
    if (!leaving.parkable() || leaving.request().isOver(now) || !leaving.isFirst()) {
      return Sandboxes.Departure.REFUSED;
    }
    boolean isPending = leaving.request().status() == Request.Status.PENDING;
    if (isPending != leaving.isHeld()) {
      return Sandboxes.Departure.CHANGED; // it was decided between the two reads
    }
    return isPending ? parked(leaving, now) : queued(leaving, now);
  }

  private Sandboxes.Departure parked(Leaving leaving, Instant now) {
    Change parked =
        leaving
            .asLeft(fenced(leaving.turn()), now)
            .set(TurnItem.STATUS, TurnStatus.PARKED)
            .set(Attribute.DUE_AT, leaving.request().expiresAt())
            .when("#request = :request")
            .with("request", TurnItem.REQUEST, leaving.request().id());
    return leave(leaving, now, parked, List.of());
  }

  /// It was decided while the agent was stopped.
  private Sandboxes.Departure queued(Leaving leaving, Instant now) {
    Turn turn = leaving.turn();
    Change gone = leaving.asLeft(Guards.notHeld(fenced(turn), turn, now), now);
    Change queued = resumptions.queued(gone, turn, now).set(TurnItem.HELD_SINCE, now);
    Write session =
        SessionItem.change(turn.key().sessionKey())
            .set(SessionItem.UPDATED, Stamp.after(turn.lastStamp(), now))
            .update();
    Sandboxes.Departure departure = leave(leaving, now, queued, List.of(session));
    if (departure == Sandboxes.Departure.DONE) {
      resumptions.start(turn);
    }
    return departure;
  }

  private Sandboxes.Departure leave(Leaving leaving, Instant now, Change ofTurn, List<Write> more) {
    Change ofLock = leaving.lock().park(Guards.sandboxLock(leaving.turn()), leaving.used(now));
    return sandboxes.leave(leaving.lock(), ofLock, leaving.wish().untouched(), ofTurn, more);
  }
}
