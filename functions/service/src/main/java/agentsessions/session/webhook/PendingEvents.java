package agentsessions.session.webhook;

import agentsessions.rule.Ceiling;
import agentsessions.session.Artifact;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.session.request.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The webhook events of one change, in order, before they have ids.
///
/// @param session the session that changed; null where the events are the workspace's
/// @param own whether the session has a webhook of its own
public record PendingEvents(
    Workspace workspace, @Nullable SessionId session, boolean own, List<Item> items) {

  /// One event that is to be sent.
  ///
  /// @param budget the ceiling that is warned of
  /// @param request the request that was made, decided or has expired
  public record Item(
      WebhookEventType type,
      @Nullable TurnId turn,
      @Nullable String status,
      @Nullable ArtifactId artifact,
      Stamp seq,
      @Nullable Ceiling budget,
      @Nullable RequestId request) {
    Item(
        WebhookEventType type,
        @Nullable TurnId turn,
        @Nullable String status,
        @Nullable ArtifactId artifact,
        Stamp seq) {
      this(type, turn, status, artifact, seq, null, null);
    }
  }

  public static PendingEvents of(SessionKey key, boolean own) {
    return new PendingEvents(key.workspace(), key.id(), own, List.of());
  }

  /// The events of a workspace as a whole.
  public static PendingEvents of(Workspace workspace) {
    return new PendingEvents(workspace, null, false, List.of());
  }

  /// A session has begun.
  public PendingEvents created(Stamp seq) {
    return with(new Item(WebhookEventType.SESSION_CREATED, null, "working", null, seq));
  }

  public PendingEvents deleted(Stamp seq) {
    return with(new Item(WebhookEventType.SESSION_DELETED, null, null, null, seq));
  }

  /// A turn has reached this status; nothing where webhooks have no event for it.
  public PendingEvents turn(TurnId turn, TurnStatus status, Stamp seq) {
    return WebhookEventType.of(status)
        .map(type -> with(new Item(type, turn, status.word(), null, seq)))
        .orElse(this);
  }

  /// The plans that an ending records, in order, each with a stamp of its own just before `before`.
  public PendingEvents plans(List<Artifact> recorded, Stamp before) {
    List<Artifact> plans = recorded.stream().filter(one -> one.planId() != null).toList();
    PendingEvents events = this;
    for (int i = 0; i < plans.size(); i++) {
      Stamp seq = before.plusMicros(i - plans.size());
      Artifact plan = plans.get(i);
      events =
          events.with(
              new Item(WebhookEventType.PLAN_CREATED, plan.turn().id(), null, plan.id(), seq));
    }
    return events;
  }

  /// Most of a ceiling is used. `turn` is the turn that used it; null where the ceiling is the
  /// workspace's.
  public PendingEvents warning(Ceiling near, @Nullable TurnId turn, Stamp seq) {
    return with(new Item(WebhookEventType.BUDGET_WARNING, turn, null, null, seq, near, null));
  }

  /// A request is made. The turn of a call waits; that of a plan or a push has ended.
  public PendingEvents asked(Request request, Stamp seq) {
    PendingEvents created = of(WebhookEventType.REQUEST_CREATED, request, seq);
    return request.kind().isClosing()
        ? created
        : created.with(
            new Item(
                WebhookEventType.THREAD_REQUIRES_ACTION,
                request.turn().id(),
                "requires_action",
                null,
                seq.plusMicros(1)));
  }

  /// A request is decided, and the turn of a call goes on; or it has expired.
  public PendingEvents over(Request request, Stamp seq) {
    PendingEvents over = decided(request, seq);
    return request.decision() == null || request.kind().isClosing()
        ? over
        : over.turn(request.turn().id(), TurnStatus.RUNNING, seq.plusMicros(1));
  }

  /// The same where no turn goes on with it at once.
  public PendingEvents decided(Request request, Stamp seq) {
    return of(
        request.decision() == null
            ? WebhookEventType.REQUEST_EXPIRED
            : WebhookEventType.REQUEST_DECIDED,
        request,
        seq);
  }

  /// The request for which a turn was parked has expired.
  public PendingEvents expired(TurnId turn, RequestId request, Stamp seq) {
    return with(new Item(WebhookEventType.REQUEST_EXPIRED, turn, null, null, seq, null, request));
  }

  /// A request is closed: its turn ends otherwise, another one begins, or somebody interrupts.
  ///
  /// @param held the request; nothing is closed where there is none
  public PendingEvents closed(TurnId turn, Optional<Turn.Held> held, Stamp seq) {
    return held.map(open ->
            with(
                new Item(
                    WebhookEventType.REQUEST_CLOSED, turn, null, null, seq, null, open.request())))
        .orElse(this);
  }

  private PendingEvents of(WebhookEventType type, Request request, Stamp seq) {
    return with(new Item(type, request.turn().id(), null, null, seq, null, request.id()));
  }

  /// The time of the event.
  public static Instant at(Item item) {
    return item.seq().instant();
  }

  private PendingEvents with(Item item) {
    List<Item> more = new ArrayList<>(items);
    more.add(item);
    return new PendingEvents(workspace, session, own, List.copyOf(more));
  }
}
