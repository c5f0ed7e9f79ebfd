package agentsessions.turn;

import static agentsessions.turn.Guards.held;

import agentsessions.rule.Question;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
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
import agentsessions.store.session.Sessions;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The life of a request: a runner asks, a person decides, or it expires. (That on a plan is made
/// as its turn ends: `Endings`. It is closed with its turn, or on a plan by the next one:
/// `Endings`, `intake.Succession`, `TurnQueue`.)
///
/// Why: decisions 040 and 042.
@Singleton
public final class Decisions {
  /// The most pending requests of a workspace.
  public static final int MOST_PENDING = 500;

  private final Table table;
  private final Announcer announcer;
  private final Requests requests;
  private final PlanTurns planTurns;
  private final Clock clock;

  public Decisions(
      Table table, Announcer announcer, Requests requests, PlanTurns planTurns, Clock clock) {
    this.table = table;
    this.announcer = announcer;
    this.requests = requests;
    this.planTurns = planTurns;
    this.clock = clock;
  }

  /// The turns that begin with a decision on a plan.
  public interface PlanTurns {
    /// The turn after a decision on the plan of another; empty where none is to follow.
    ///
    /// @throws Refusal `QUEUE_FULL` where it cannot go before those that wait
    Optional<PlanTurn> after(Session session, Turn planned, Request decided, Instant now);

    /// Starts such a turn, which has been written; the sweep would do it later.
    void start(Turn next);
  }

  /// A turn that begins with a decision.
  ///
  /// @param writes that begin it
  public record PlanTurn(Turn turn, List<Write> writes, PendingEvents news) {}

  /// A call that is asked about.
  ///
  /// @param call names it within its turn
  /// @param questions those that it asks; none where it needs permission
  public record Call(
      String call, String title, Request.Tool tool, List<Question> questions, String fingerprint) {}

  /// Makes a pending request of a call and holds the turn, or returns the one that was made before;
  /// one that a grant allows is decided at once, and so is one too many. Empty if the turn is no
  /// longer this runner's.
  ///
  /// @throws Refusal `VALIDATION` where the turn is held for another call
  public Optional<Request> ask(Turn turn, Call call) {
    for (int tries = 0; ; tries++) {
      Asked asked = asked(turn, call);
      Optional<Request> known = asked.before().or(() -> decidedAtOnce(turn, call, asked));
      if (known.isPresent()) {
        return known;
      }
      Request request = request(turn, call, Request.Status.PENDING, asked.how(), null);
      Stamp stamp = Stamp.after(turn.lastStamp(), request.createdAt().instant());
      PendingEvents news =
          PendingEvents.of(turn.key().sessionKey(), turn.work().hooked()).asked(request, stamp);
      switch (announcer.write(asking(turn, request, asked.how(), stamp), news)) {
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

  /// Whether a turn that may not be held is held for this very request, by a call whose answer was
  /// lost; otherwise it is no longer its runner's.
  private static boolean isHeld(Optional<Item> now, Turn turn, RequestId request) {
    Optional<Turn.Held> held =
        now.map(TurnItem::read).filter(seen -> seen.fence() == turn.fence()).flatMap(Turn::held);
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
    return new Asked(
        Optional.ofNullable(found.get(request)).map(RequestItem::read),
        found.containsKey(grant),
        permissions
            .flatMap(key -> Optional.ofNullable(found.get(key)))
            .map(item -> PermissionsItem.read(item).asking())
            .orElse(ToolPermissions.Asking.USUAL));
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
        call.fingerprint(),
        Stamp.of(now),
        now.plusSeconds(how.holdSeconds()),
        decision);
  }

  private static List<Write> asking(
      Turn turn, Request request, ToolPermissions.Asking how, Stamp stamp) {
    List<Write> writes = new ArrayList<>();
    writes.add(
        held(turn)
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
    writes.addAll(RequestWrites.made(request, how.fourEyes()));
    return writes;
  }

  /// A person's decision.
  ///
  /// @param fingerprint of the request that was decided upon; null: whatever it is
  /// @param keyId the API key that decides
  public record Wanted(
      Decision.Word word,
      @Nullable String note,
      Map<String, List<String>> answers,
      @Nullable String fingerprint,
      String keyId) {}

  /// Decides a request; the same decision again changes nothing. Empty if there is no such request.
  ///
  /// @throws Refusal `VALIDATION` where the answers are none of its questions, `FORBIDDEN` where
  ///   this key may not decide it (four eyes), `REQUEST_CHANGED`, `REQUEST_CLOSED`,
  ///   `ALREADY_DECIDED`, checked in this order
  public Optional<Request> decide(SessionKey session, RequestId id, Wanted wanted) {
    for (int tries = 0; ; tries++) {
      Optional<Deciding> seen = deciding(session, id);
      if (seen.isEmpty()) {
        return Optional.empty();
      }
      Request request = seen.get().request();
      requireFitting(request, wanted);
      Instant now = clock.instant();
      if (seen.get().isAnswered(wanted, now)) {
        return Optional.of(request);
      }
      Decision decision =
          new Decision(wanted.word(), wanted.note(), wanted.answers(), wanted.keyId(), now);
      Request decided = request.decided(decision);
      if (isOver(seen.get(), decided, now)) {
        return Optional.of(decided);
      }
      Retries.pause("decide", tries);
    }
  }

  private static void requireFitting(Request request, Wanted wanted) {
    if (request.kind() != Request.Kind.PERMISSION && wanted.word() == Decision.Word.ALLOW_SESSION) {
      throw Refusal.invalid(
          "decision",
          "must be allow or deny: each %s is decided on".formatted(request.kind().word()));
    }
    request
        .fault(wanted.word(), wanted.answers())
        .ifPresent(fault -> {
          throw Refusal.invalid("answers", fault);
        });
  }

  /// The state that a decision is judged by.
  ///
  /// @param barred the keys that may not decide
  private record Deciding(Session session, Request request, Turn turn, List<String> barred) {
    /// Whether this very decision was made before.
    boolean isAnswered(Wanted wanted, Instant now) {
      if (barred.contains(wanted.keyId())) {
        throw Refusal.of(
            Refusal.Code.FORBIDDEN, "Another key must decide than those that sent the messages");
      }
      if (wanted.fingerprint() != null && !wanted.fingerprint().equals(request.fingerprint())) {
        throw Refusal.of(Refusal.Code.REQUEST_CHANGED, "The request has another fingerprint");
      }
      if (request.isOver(now)) {
        throw Refusal.of(
            Refusal.Code.REQUEST_CLOSED, "The request has expired, or its thread ended");
      }
      if (request.decision() == null) {
        return false;
      }
      if (!request.decision().isSame(wanted.word(), wanted.note(), wanted.answers())) {
        throw Refusal.of(Refusal.Code.ALREADY_DECIDED, "Another decision was made before");
      }
      return true;
    }
  }

  private Optional<Deciding> deciding(SessionKey key, RequestId id) {
    Layout.Key meta = Layout.meta(key);
    Layout.Key request = Layout.request(key, id);
    Map<Layout.Key, Item> found = table.items(List.of(meta, request));
    return Sessions.visible(found.get(meta))
        .flatMap(session ->
            Optional.ofNullable(found.get(request)).flatMap(item -> deciding(session, item)));
  }

  private Optional<Deciding> deciding(Session session, Item item) {
    Request request = RequestItem.read(item);
    Layout.Key asking = Layout.turn(request.turn());
    Layout.Key first = Layout.turn(session.key().turn(session.turns().first()));
    Map<Layout.Key, Item> turns = table.items(List.of(asking, first));
    List<String> senders =
        turns.values().stream().map(turn -> TurnItem.read(turn).account().keyId()).toList();
    return Optional.ofNullable(turns.get(asking))
        .map(TurnItem::read)
        .map(turn ->
            new Deciding(
                session, request, turn, item.flag(RequestItem.FOUR_EYES) ? senders : List.of()));
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
              .filter(seen -> seen.fence() == turn.fence());
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

  private boolean isOver(Deciding seen, Request decided, Instant now) {
    return switch (decided.kind()) {
      case PERMISSION, QUESTION -> over(seen.turn(), decided, now);
      case PLAN ->
          overPlan(
              seen.session(),
              decided,
              planTurns.after(seen.session(), seen.turn(), decided, now),
              now);
    };
  }

  /// Expires the request on a plan that nobody has decided on in time; any other stays as it is.
  public void expirePlan(SessionKey key, RequestId id) {
    for (int tries = 0; ; tries++) {
      Instant now = clock.instant();
      Optional<Deciding> seen =
          deciding(key, id)
              .filter(found -> found.request().kind() == Request.Kind.PLAN)
              .filter(found -> found.request().status() == Request.Status.PENDING)
              .filter(found -> found.request().isOver(now));
      if (seen.isEmpty()
          || overPlan(
              seen.get().session(), seen.get().request().expired(), Optional.empty(), now)) {
        return;
      }
      Retries.pause("expire", tries);
    }
  }

  /// Ends the wait of a session for a decision on its plan, if it still waits for it.
  ///
  /// @param next the turn that begins with it
  private boolean overPlan(Session session, Request request, Optional<PlanTurn> next, Instant now) {
    Optional<Turn.Held> asked =
        session.plan().filter(waiting -> waiting.request().equals(request.id()));
    if (asked.isEmpty()) {
      return false;
    }
    Stamp stamp = Stamp.after(session.updatedAt().plusMicros(1), now);
    List<Write> writes = new ArrayList<>();
    writes.add(decided(session.key(), request).notDue().update());
    writes.addAll(RequestWrites.moved(session, asked.get()));
    writes.addAll(
        next.map(PlanTurn::writes)
            .orElseGet(() -> List.of(withoutPlan(session, request, stamp).update())));
    PendingEvents events =
        next.map(PlanTurn::news)
            .orElseGet(() -> PendingEvents.of(session.key(), session.hooked()))
            .over(request, next.map(begun -> begun.turn().firstStamp()).orElse(stamp));
    boolean committed = announcer.write(writes, events).committed();
    if (committed) {
      next.map(PlanTurn::turn).ifPresent(planTurns::start);
    }
    return committed;
  }

  private static Change withoutPlan(Session session, Request request, Stamp stamp) {
    return SessionItem.change(session.key())
        .remove(SessionItem.PLAN, SessionItem.PLAN_SINCE)
        .set(SessionItem.UPDATED, stamp)
        .when("#plan = :plan")
        .with("plan", SessionItem.PLAN, request.id());
  }

  private static Change decided(SessionKey session, Request request) {
    Change item = RequestWrites.over(session, request.id(), request.status());
    return request.decision() == null ? item : RequestItem.decided(item, request.decision());
  }

  /// Ends the wait of a turn for a request, if it still waits for it.
  private boolean over(Turn turn, Request request, Instant now) {
    Optional<Turn.Held> held =
        turn.held().filter(waiting -> waiting.request().equals(request.id()));
    if (held.isEmpty()) {
      return false;
    }
    SessionKey session = turn.key().sessionKey();
    Stamp stamp = Stamp.after(turn.lastStamp(), now);
    List<Write> writes = new ArrayList<>();
    writes.add(decided(session, request).update());
    writes.add(goesOn(turn, now).update());
    writes.add(
        SessionItem.change(session)
            .remove(SessionItem.REQUEST)
            .set(SessionItem.UPDATED, stamp)
            .update());
    writes.addAll(RequestWrites.moved(session, held.get()));
    request.grant().ifPresent(grant -> writes.add(GrantItem.put(grant).overwrite()));
    PendingEvents events = PendingEvents.of(session, turn.work().hooked()).over(request, stamp);
    return announcer.write(writes, events).committed();
  }

  /// The turn as its runner goes on with it: its deadline is as far away as when it was held.
  private static Change goesOn(Turn turn, Instant now) {
    Change change = Guards.letGo(held(turn), turn, now);
    turn.deadline(now).ifPresent(deadline -> change.set(TurnItem.DEADLINE, deadline));
    return change;
  }
}
