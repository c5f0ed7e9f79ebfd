package agentsessions.turn;

import static agentsessions.turn.Guards.fenced;

import agentsessions.rule.Question;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.request.RequestWrites;
import agentsessions.store.request.Requests;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.GrantItem;
import agentsessions.table.item.PermissionsItem;
import agentsessions.table.item.RequestItem;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The turns that are held for a request: their runner asks, and they go on when it is decided or
/// has expired. (It is closed as the turn ends: `Endings`, `intake.BegunFollowUp`, `TurnQueue`.)
///
/// Why: decisions 040 and 045.
@Singleton
public final class HeldTurns {
  /// The most pending requests of a workspace.
  public static final int MOST_PENDING = 500;

  private static final Set<String> AT_THE_END = Set.of(RequestId.PLAN, RequestId.PUSH);

  private final Table table;
  private final Announcer announcer;
  private final Requests requests;
  private final Resumptions resumptions;
  private final Clock clock;

  public HeldTurns(
      Table table, Announcer announcer, Requests requests, Resumptions resumptions, Clock clock) {
    this.table = table;
    this.announcer = announcer;
    this.requests = requests;
    this.resumptions = resumptions;
    this.clock = clock;
  }

  /// A call that is asked about.
  ///
  /// @param call names it within its turn
  /// @param questions those that it asks; none where it needs permission
  /// @param parkable whether its turn can be parked for it
  public record Call(
      String call,
      String title,
      Request.Tool tool,
      List<Question> questions,
      String fingerprint,
      boolean parkable) {}

  /// Makes a pending request of a call and holds the turn, or returns the one that was made before;
  /// one that a grant allows is decided at once, and so is one too many. Empty if the turn is no
  /// longer this runner's, or is a job: that has no thread to be held, and asks by its end.
  ///
  /// @throws Refusal `VALIDATION` where the turn is held for another call, or another call, or what
  ///   the turn asks at its end, has this one's name: a decision is on what people have seen
  public Optional<Request> ask(Turn turn, Call call) {
    if (turn.isJob()) {
      return Optional.empty();
    }
    for (int tries = 0; ; tries++) {
      Asked asked = asked(turn, call);
      refuseOthersName(call, asked.before());
      Optional<Request> known = asked.before().or(() -> decidedAtOnce(turn, call, asked));
      if (known.isPresent()) {
        return known;
      }
      Request request = request(turn, call, Request.Status.PENDING, asked.how(), null);
      Stamp stamp = Stamp.after(turn.lastStamp(), request.createdAt().instant());
      PendingEvents events =
          PendingEvents.of(turn.key().sessionKey(), turn.work().hasWebhook()).asked(request, stamp);
      switch (announcer.write(asking(turn, request, call, asked.how(), stamp), events)) {
        case Table.Outcome.Committed _ -> {
          return Optional.of(request);
        }
        case Table.Outcome.Refused refused -> {
          if (refused.by().containsKey(0) && !isHeld(refused.old(0), turn, request.id())) {
            return Optional.empty();
          }
        }
      }
      Retries.pause("ask", tries);
    }
  }

  private static void refuseOthersName(Call call, Optional<Request> before) {
    if (AT_THE_END.contains(call.call())) {
      throw Refusal.invalid("call", "must be neither plan nor push");
    }
    if (before.filter(known -> !known.fingerprint().equals(call.fingerprint())).isPresent()) {
      throw Refusal.invalid("call", "must not be the name of another call of the turn");
    }
  }

  /// Whether a turn that may not be held is held for this very request, by a call whose answer was
  /// lost; otherwise it is no longer its runner's.
  private static boolean isHeld(Optional<Item> now, Turn turn, RequestId request) {
    Optional<Turn.Held> held =
        now.map(TurnItem::read)
            .filter(seen -> seen.fence() == turn.fence() && seen.isRunning())
            .flatMap(Turn::held);
    if (held.filter(other -> !other.request().equals(request)).isPresent()) {
      throw Refusal.invalid("call", "must wait for the turn's pending request");
    }
    return held.isPresent();
  }

  /// What is known of a call when it is asked about.
  ///
  /// @param before the request that was made of it before
  private record Asked(Optional<Request> before, boolean granted, ToolPermissions.Asking how) {}

  private Asked asked(Turn turn, Call call) {
    SessionKey session = turn.key().sessionKey();
    Layout.Key request = Layout.request(session, RequestId.of(turn.key(), call.call()));
    Layout.Key grant = Layout.grant(session, call.fingerprint());
    Optional<Layout.Key> permissions =
        Optional.ofNullable(turn.work().permissions())
            .map(version -> Layout.permissions(session, version));
    Map<Layout.Key, Item> found =
        table.items(Stream.concat(Stream.of(request, grant), permissions.stream()).toList());
    ToolPermissions.Asking how =
        permissions
            .flatMap(key -> Optional.ofNullable(found.get(key)))
            .map(item -> PermissionsItem.read(item).asking())
            .orElse(ToolPermissions.Asking.USUAL);
    return new Asked(
        Optional.ofNullable(found.get(request)).map(RequestItem::read),
        Optional.ofNullable(found.get(grant))
            .map(GrantItem::read)
            .filter(made -> made.holdsFor(turn, how))
            .isPresent(),
        how);
  }

  private Optional<Request> decidedAtOnce(Turn turn, Call call, Asked asked) {
    if (asked.granted()) {
      return Optional.of(decided(turn, call, asked, Decision.Word.ALLOW_SESSION, null));
    }
    return requests.hasPending(turn.key().sessionKey().workspace(), MOST_PENDING)
        ? Optional.of(
            decided(
                turn,
                call,
                asked,
                Decision.Word.DENY,
                "A workspace may have %d pending requests, and has.".formatted(MOST_PENDING)))
        : Optional.empty();
  }

  private Request decided(
      Turn turn, Call call, Asked asked, Decision.Word word, @Nullable String note) {
    Decision decision = new Decision(word, note, Map.of(), null, clock.instant());
    return request(turn, call, Request.Status.DECIDED, asked.how(), decision);
  }

  private Request request(
      Turn turn,
      Call call,
      Request.Status status,
      ToolPermissions.Asking how,
      @Nullable Decision decision) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new Request(
        RequestId.of(turn.key(), call.call()),
        turn.key(),
        status,
        call.title(),
        call.tool(),
        call.questions(),
        null,
        List.of(),
        call.fingerprint(),
        Stamp.of(now),
        now.plus(
            call.parkable()
                ? Duration.ofDays(how.expiresInDays())
                : Duration.ofSeconds(how.holdSeconds())),
        decision);
  }

  private static List<Write> asking(
      Turn turn, Request request, Call call, ToolPermissions.Asking how, Stamp stamp) {
    List<Write> writes = new ArrayList<>();
    writes.add(
        fenced(turn)
            .set(TurnItem.REQUEST, request.id())
            .set(TurnItem.HELD_SINCE, request.createdAt().instant())
            .when("attribute_not_exists(#request)")
            .update());
    writes.add(
        SessionItem.change(turn.key().sessionKey())
            .set(SessionItem.REQUEST, request.id())
            .set(SessionItem.UPDATED, stamp)
            .when("#current = :turn")
            .with("turn", SessionItem.CURRENT, turn.id())
            .update());
    Optional<String> parkable = Optional.of(call.call()).filter(_ -> call.parkable());
    writes.addAll(RequestWrites.made(request, how.fourEyes(), parkable));
    return writes;
  }

  /// Expires a request of this runner's turn that nobody has decided in time, and returns what it
  /// is now. Empty if the turn is no longer this runner's or there is no such request.
  public Optional<Request> expire(Turn turn, RequestId id) {
    Layout.Key request = Layout.request(turn.key().sessionKey(), id);
    Layout.Key asking = Layout.turn(turn.key());
    for (int tries = 0; ; tries++) {
      Map<Layout.Key, Item> found = table.items(List.of(request, asking));
      Optional<Turn> now =
          Optional.ofNullable(found.get(asking))
              .map(TurnItem::read)
              .filter(seen -> seen.fence() == turn.fence() && seen.isRunning());
      Optional<Request> asked =
          now.flatMap(_ -> Optional.ofNullable(found.get(request)))
              .map(RequestItem::read)
              .filter(one -> one.turn().equals(turn.key()));
      if (asked.filter(one -> one.status() == Request.Status.PENDING).isEmpty()) {
        return asked;
      }
      if (over(now.get(), asked.get().expired(), clock.instant())) {
        return asked.map(Request::expired);
      }
      Retries.pause("expire", tries);
    }
  }

  /// Ends the wait of a turn for a request, if it still waits for it. One that is parked is queued
  /// again.
  public boolean over(Turn turn, Request request, Instant now) {
    Optional<Turn.Held> held =
        turn.held().filter(waiting -> waiting.request().equals(request.id()));
    if (held.isEmpty()) {
      return false;
    }
    SessionKey session = turn.key().sessionKey();
    Stamp stamp = Stamp.after(turn.lastStamp(), now);
    List<Write> writes = new ArrayList<>();
    writes.add(RequestWrites.over(session, request).update());
    writes.add(goesOn(turn, now).update());
    writes.add(
        SessionItem.change(session)
            .remove(SessionItem.REQUEST)
            .set(SessionItem.UPDATED, stamp)
            .update());
    writes.addAll(RequestWrites.moved(session, held.get()));
    request.grant().ifPresent(grant -> writes.add(GrantItem.put(grant).overwrite()));
    boolean committed = announcer.write(writes, events(turn, request, stamp)).committed();
    if (committed && !turn.isRunning()) {
      resumptions.start(turn);
    }
    return committed;
  }

  private static PendingEvents events(Turn turn, Request request, Stamp stamp) {
    PendingEvents events = PendingEvents.of(turn.key().sessionKey(), turn.work().hasWebhook());
    return turn.isRunning() ? events.over(request, stamp) : events.decided(request, stamp);
  }

  /// The turn as its runner goes on with it: its deadline is as far away as when it was held. One
  /// that is parked goes on with another runner.
  private Change goesOn(Turn turn, Instant now) {
    if (!turn.isRunning()) {
      return resumptions.queued(Guards.parked(turn).remove(TurnItem.REQUEST), turn, now);
    }
    Change change = Guards.notHeld(fenced(turn), turn, now);
    turn.deadline(now).ifPresent(deadline -> change.set(TurnItem.DEADLINE, deadline));
    return change;
  }
}
