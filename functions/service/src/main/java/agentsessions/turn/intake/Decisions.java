package agentsessions.turn.intake;

import agentsessions.aws.Executions;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.request.RequestWrites;
import agentsessions.store.session.Sessions;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.RequestItem;
import agentsessions.table.item.TurnItem;
import agentsessions.turn.HeldTurns;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The decisions on requests. That on a plan may begin the next turn, that on pushes a job; one of
/// these that nobody decides on expires. (They are made as a turn ends: `Endings`.)
///
/// Why: decisions 040, 042 and 046.
@Singleton
public final class Decisions {
  private final Table table;
  private final Announcer announcer;
  private final HeldTurns heldTurns;
  private final PlanSequels planSequels;
  private final PushSequels pushSequels;
  private final BeanProvider<Executions> executions;
  private final Clock clock;

  public Decisions(
      Table table,
      Announcer announcer,
      HeldTurns heldTurns,
      PlanSequels planSequels,
      PushSequels pushSequels,
      BeanProvider<Executions> executions,
      Clock clock) {
    this.table = table;
    this.announcer = announcer;
    this.heldTurns = heldTurns;
    this.planSequels = planSequels;
    this.pushSequels = pushSequels;
    this.executions = executions;
    this.clock = clock;
  }

  /// A person's decision.
  ///
  /// @param fingerprint of the request that was decided upon; null: whatever it is, which no plan
  ///   and no push may be allowed by
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
  ///   this key may not decide it (four eyes), `VALIDATION` where a plan or a push is allowed
  ///   without its fingerprint, `REQUEST_CHANGED`, `REQUEST_CLOSED`, `ALREADY_DECIDED`, in this
  ///   order
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
      if (commit(seen.get(), decided, now)) {
        return Optional.of(decided);
      }
      Retries.pause("decide", tries);
    }
  }

  private static void requireFitting(Request request, Wanted wanted) {
    boolean isEach = request.kind() == Request.Kind.PLAN || request.kind() == Request.Kind.QUESTION;
    if (isEach && wanted.word() == Decision.Word.ALLOW_SESSION) {
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
            Refusal.Code.FORBIDDEN,
            "Another key must decide than those that sent the messages or asked for the pull request");
      }
      if (wanted.fingerprint() == null
          && request.kind().isClosing()
          && wanted.word().isAllowing()) {
        throw Refusal.invalid(
            "fingerprint", "is needed to allow a %s".formatted(request.kind().word()));
      }
      if (wanted.fingerprint() != null && !wanted.fingerprint().equals(request.fingerprint())) {
        throw Refusal.of(Refusal.Code.REQUEST_CHANGED, "The request has another fingerprint");
      }
      if (request.isOver(now)) {
        throw Refusal.of(Refusal.Code.REQUEST_CLOSED, whyOver(now));
      }
      if (request.decision() == null && wanted.word().isAllowing() && !request.saysWhatIsPushed()) {
        throw Refusal.of(
            Refusal.Code.REQUEST_CHANGED,
            "An earlier version has asked about it: it is asked about again after the next message");
      }
      if (request.decision() == null) {
        return false;
      }
      if (!request.decision().isSame(wanted.word(), wanted.note(), wanted.answers())) {
        throw Refusal.of(Refusal.Code.ALREADY_DECIDED, "Another decision was made before");
      }
      return true;
    }

    private String whyOver(Instant now) {
      if (request.status() != Request.Status.CLOSED) {
        return request.expiresAt().isAfter(now)
            ? "The request has expired: its thread could not wait any longer"
            : "The request expired at " + request.expiresAt();
      }
      return request.kind().isClosing()
          ? "The request is closed: another thread has begun since, or the session was interrupted"
          : "The request is closed: its thread has ended";
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
        Stream.concat(
                turns.values().stream().map(turn -> TurnItem.read(turn).account().keyId()),
                item.optional(RequestItem.ASKER).stream())
            .toList();
    return Optional.ofNullable(turns.get(asking))
        .map(TurnItem::read)
        .map(turn ->
            new Deciding(
                session, request, turn, item.flag(RequestItem.FOUR_EYES) ? senders : List.of()));
  }

  /// False if the request, its turn or its session has changed since it was read.
  private boolean commit(Deciding seen, Request decided, Instant now) {
    return switch (decided.kind()) {
      case PERMISSION, QUESTION -> heldTurns.over(seen.turn(), decided, now);
      case PLAN ->
          endWait(
              seen.session(),
              decided,
              planSequels.after(seen.session(), seen.turn(), decided, now));
      case PUSH ->
          endWait(
              seen.session(),
              decided,
              pushSequels.after(seen.session(), seen.turn(), decided, now));
    };
  }

  /// Expires a request that waits after a turn, and that nobody has decided on in time; any other
  /// stays as it is.
  public void expireClosing(SessionKey key, RequestId id) {
    for (int tries = 0; ; tries++) {
      Instant now = clock.instant();
      Optional<Deciding> seen =
          deciding(key, id)
              .filter(found -> found.request().kind().isClosing())
              .filter(found -> found.request().status() == Request.Status.PENDING)
              .filter(found -> found.request().isOver(now));
      if (seen.isEmpty()) {
        return;
      }
      Session session = seen.get().session();
      Request expired = seen.get().request().expired();
      if (endWait(session, expired, ClosingSequel.none(session, expired, now))) {
        return;
      }
      Retries.pause("expire", tries);
    }
  }

  /// Ends the wait of a session after its turn; false if it waits no more, or has changed.
  private boolean endWait(Session session, Request request, ClosingSequel sequel) {
    Optional<Turn.Held> asked =
        session.closingRequest().filter(waiting -> waiting.request().equals(request.id()));
    if (asked.isEmpty()) {
      return false;
    }
    List<Write> writes = new ArrayList<>();
    writes.add(RequestWrites.over(session.key(), request).notDue().update());
    writes.addAll(RequestWrites.moved(session, asked.get()));
    writes.addAll(sequel.writes());
    boolean committed =
        announcer.write(writes, sequel.events().over(request, sequel.stamp())).committed();
    if (committed) { // what begins is started by the sweep, where that is lost here
      sequel.turn().ifPresent(next -> executions.get().start(next.key(), next.dispatch()));
    }
    return committed;
  }
}
