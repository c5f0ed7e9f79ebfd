package agentsessions.table.item;

import agentsessions.session.SandboxState;
import agentsessions.session.Turn;
import agentsessions.session.Turn.State.Ended;
import agentsessions.session.Turn.State.Parked;
import agentsessions.session.Turn.State.Queued;
import agentsessions.session.Turn.State.Running;
import agentsessions.session.Turn.State.Waiting;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The item of a turn. It is put whole when the turn is accepted; then its attributes change one by
/// one. Counters of 0 and flags that are false are left out.
public final class TurnItem {
  private static final ItemSchema<TurnError> ERROR_SCHEMA = new ItemSchema<>(TurnItem::error);
  private static final Attribute<String> CODE =
      ERROR_SCHEMA.part("code", AttributeFormat.TEXT, TurnError::code);
  private static final Attribute<String> MESSAGE =
      ERROR_SCHEMA.part("message", AttributeFormat.TEXT, TurnError::message);
  private static final Attribute<Boolean> RETRYABLE =
      ERROR_SCHEMA.part("retryable", AttributeFormat.FLAG, TurnError::retryable);

  private static final ItemSchema<PushJob> JOB_SCHEMA = new ItemSchema<>(TurnItem::job);
  private static final Attribute<List<PushJob.Target>> JOB_TARGETS =
      JOB_SCHEMA.part("targets", AttributeFormat.list(CheckoutMap.TARGET_FORMAT), PushJob::targets);
  private static final Attribute<String> JOB_SUBJECT =
      JOB_SCHEMA.part("subject", AttributeFormat.TEXT, PushJob::subject);
  private static final Attribute<Boolean> JOB_ALLOWED =
      JOB_SCHEMA.flag("allowed", PushJob::allowed);

  private static final ItemSchema<Turn> SCHEMA =
      new ItemSchema<>(turn -> Layout.turn(turn.key()), TurnItem::turn)
          .also(Attribute.LIVE, turn -> turn.live() ? Shards.live(turn.id()) : null)
          .also(Attribute.DUE_AT, TurnItem::dueAt);
  private static final Attribute<String> AGENT =
      SCHEMA.part("agent", AttributeFormat.TEXT, Turn::agentName);
  private static final Attribute<Long> NUMBER =
      SCHEMA.part("seq", AttributeFormat.NUMBER, Turn::number);
  public static final Attribute<TurnStatus> STATUS =
      SCHEMA.part("status", AttributeFormat.name(TurnStatus.class), Turn::status);
  public static final Attribute<Integer> DISPATCH =
      SCHEMA.part("dispatch", AttributeFormat.COUNT, Turn::dispatch);
  public static final Attribute<Long> FENCE =
      SCHEMA.part("fence", AttributeFormat.NUMBER, Turn::fence);
  private static final Attribute<String> BASE_URL =
      SCHEMA.part("base_url", AttributeFormat.TEXT, Turn::baseUrl);
  private static final Attribute<Stamp> SESSION_CREATED =
      SCHEMA.part("session_created", AttributeFormat.STAMP, turn -> turn.stamps().sessionCreated());
  private static final Attribute<Stamp> FIRST =
      SCHEMA.part("first_ts", AttributeFormat.STAMP, Turn::firstStamp);
  public static final Attribute<Stamp> LAST =
      SCHEMA.part("last_ts", AttributeFormat.STAMP, Turn::lastStamp);
  public static final Attribute<Integer> EVENTS =
      SCHEMA.part("events", AttributeFormat.COUNT, turn -> turn.counts().events());
  public static final Attribute<Integer> PROGRESS =
      SCHEMA.count("progress", turn -> turn.counts().progress());
  public static final Attribute<Integer> TOOL_CALLS =
      SCHEMA.count("tool_calls", turn -> turn.counts().toolCalls());
  public static final Attribute<Integer> FAILED_STARTS =
      SCHEMA.count("vain_starts", of(Queued.class, Queued::failedStarts));
  public static final Attribute<Boolean> LAUNCHED =
      SCHEMA.flag(
          "handed_over", turn -> turn.state() instanceof Queued queued && queued.launched());

  /// Set on a turn that waits for others. It stays on one that was cancelled before it began.
  public static final Attribute<Boolean> WAITS = SCHEMA.flag("waits", Turn::waits);

  public static final Attribute<Instant> STARTED_AT =
      SCHEMA.part("started_at", AttributeFormat.INSTANT, ofClaim(Turn.Claimed::startedAt));
  public static final Attribute<Instant> DEADLINE =
      SCHEMA.part("deadline", AttributeFormat.INSTANT, ofClaim(Turn.Claimed::deadline));
  public static final Attribute<Instant> LEASE_UNTIL =
      SCHEMA.part("lease_until", AttributeFormat.INSTANT, of(Running.class, Running::leaseUntil));

  /// The request that the agent of a turn waits for, and since when; a turn that was parked and is
  /// queued again keeps the latter until it is claimed.
  public static final Attribute<RequestId> REQUEST =
      SCHEMA.part(
          "request",
          AttributeFormat.REQUEST,
          turn -> turn.held().map(Turn.Held::request).orElse(null));

  public static final Attribute<Instant> HELD_SINCE =
      SCHEMA.part("held_since", AttributeFormat.INSTANT, turn -> turn.heldSince().orElse(null));

  /// The milliseconds for which its agent has waited for decisions, and for a runner after one.
  public static final Attribute<Long> HELD_MILLIS =
      SCHEMA.part(
          "held_ms",
          AttributeFormat.NUMBER,
          turn -> turn.claimed().map(Turn.Claimed::heldMillis).filter(ms -> ms > 0).orElse(null));

  /// The request for which the turn was last parked.
  public static final Attribute<RequestId> PARKED =
      SCHEMA.part("parked", AttributeFormat.REQUEST, turn -> turn.parked().orElse(null));

  /// The time at which a turn that was parked was queued again.
  public static final Attribute<Instant> QUEUED_AT =
      SCHEMA.part(
          "queued_at",
          AttributeFormat.INSTANT,
          of(
              Queued.class,
              queued -> queued.resumed() == null ? null : queued.resumed().queuedAt()));

  public static final Attribute<Instant> ENDED_AT =
      SCHEMA.part("ended_at", AttributeFormat.INSTANT, of(Ended.class, Ended::endedAt));
  public static final Attribute<Boolean> REPORTED = SCHEMA.flag("reported", Turn::reported);
  public static final Attribute<TurnError> ERROR =
      SCHEMA.part("error", ERROR_SCHEMA.format(), of(Ended.class, Ended::error));
  public static final Attribute<TurnId> SUPERSEDED_BY =
      SCHEMA.part("superseded_by", AttributeFormat.TURN, of(Ended.class, Ended::supersededBy));
  public static final Attribute<SandboxState> SANDBOX =
      SCHEMA.part(
          "sandbox", AttributeFormat.name(SandboxState.class), of(Ended.class, Ended::sandbox));
  private static final Attribute<String> MODEL =
      SCHEMA.part("model", AttributeFormat.TEXT, turn -> turn.work().model());
  public static final Attribute<List<Repository>> REPOSITORIES =
      SCHEMA.part(
          "repositories",
          RepositoryMap.FORMAT,
          turn -> RepositoryMap.filled(turn.work().repositories()));
  private static final Attribute<Boolean> STANDS =
      SCHEMA.flag("stands", turn -> turn.work().hasStoredInputs());
  private static final Attribute<Boolean> FILES = SCHEMA.flag("files", turn -> turn.work().files());
  private static final Attribute<Boolean> HAS_WEBHOOK =
      SCHEMA.flag("hooked", turn -> turn.work().hasWebhook());
  private static final Attribute<String> PERMISSIONS =
      SCHEMA.part("permissions", AttributeFormat.TEXT, turn -> turn.work().permissions());
  private static final Attribute<Boolean> APPROVED =
      SCHEMA.flag("approved", turn -> turn.work().approved());

  private static final Attribute<PushJob> JOB =
      SCHEMA.part("job", JOB_SCHEMA.format(), turn -> turn.work().job());

  /// The id of the API key that sent the message.
  private static final Attribute<String> KEY_ID =
      SCHEMA.part("key_id", AttributeFormat.TEXT, turn -> turn.account().keyId());

  private static final Attribute<Ceilings> LIMITS =
      SCHEMA.part(
          "limits", CeilingsMap.FORMAT, turn -> CeilingsMap.filled(turn.account().limits()));
  public static final Attribute<Usage> USAGE =
      SCHEMA.part(
          "usage",
          UsageMap.FORMAT,
          turn -> turn.account().usage().equals(Usage.NONE) ? null : turn.account().usage());
  public static final Attribute<Boolean> SETTLED =
      SCHEMA.flag("settled", turn -> turn.account().settled());

  /// The hash of the ticket with which a runner may claim the turn.
  public static final Attribute<String> TICKET_HASH =
      SCHEMA.attribute("ticket_hash", AttributeFormat.TEXT);

  /// The hash of the bearer token of the runner that has claimed the turn.
  public static final Attribute<String> TOKEN_HASH =
      SCHEMA.attribute("token_hash", AttributeFormat.TEXT);

  public static final Attribute<String> CLAIM_ID =
      SCHEMA.attribute("claim_id", AttributeFormat.TEXT);

  /// The time at which a commit was last recorded for a push.
  public static final Attribute<Instant> PUSHED_AT =
      SCHEMA.attribute("pushed_at", AttributeFormat.INSTANT);

  /// The number of artifacts that were recorded when the turn ended.
  public static final Attribute<Integer> ARTIFACTS =
      SCHEMA.attribute("artifacts", AttributeFormat.COUNT);

  /// The closing message, if it is short: {@link TurnRow}.
  public static final Attribute<String> REPLY = SCHEMA.attribute("reply", AttributeFormat.TEXT);

  /// Set on the first turns of a session that was deleted: decision 029.
  public static final Attribute<Boolean> DELETED =
      SCHEMA.attribute("deleted", AttributeFormat.FLAG);

  public static Turn read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Turn turn) {
    return SCHEMA.put(turn);
  }

  public static Change change(TurnKey turn) {
    return SCHEMA.change(Layout.turn(turn));
  }

  private static Turn turn(Item item) {
    return new Turn(
        item.key().turn(),
        item.get(AGENT),
        item.get(NUMBER),
        item.get(BASE_URL),
        new Turn.Stamps(item.get(SESSION_CREATED), item.get(FIRST), item.get(LAST)),
        new Turn.Counts(item.get(EVENTS, 0), item.get(PROGRESS, 0), item.get(TOOL_CALLS, 0)),
        item.get(DISPATCH, 0),
        item.get(FENCE),
        new Turn.Work(
            item.find(MODEL),
            item.get(REPOSITORIES, List.of()),
            item.flag(STANDS),
            item.flag(FILES),
            item.flag(HAS_WEBHOOK),
            item.find(PERMISSIONS),
            item.flag(APPROVED),
            item.find(JOB)),
        state(item),
        new Turn.Account(
            item.get(KEY_ID),
            item.get(LIMITS, Ceilings.NONE),
            item.get(USAGE, Usage.NONE),
            item.flag(SETTLED)));
  }

  private static Turn.State state(Item item) {
    TurnStatus status = item.get(STATUS);
    return switch (status) {
      case QUEUED -> item.flag(WAITS) ? new Waiting(item.get(Attribute.DUE_AT), 0) : queued(item);
      case RUNNING ->
          new Running(claimed(item), item.get(LEASE_UNTIL), item.get(Attribute.DUE_AT), held(item));
      case PARKED ->
          new Parked(
              claimed(item),
              item.get(Attribute.DUE_AT),
              new Turn.Held(item.get(REQUEST), item.get(HELD_SINCE)));
      case COMPLETED, FAILED, INTERRUPTED, CANCELLED, TIMED_OUT ->
          new Ended(
              status,
              item.has(STARTED_AT) ? claimed(item) : null,
              item.get(ENDED_AT),
              item.flag(REPORTED),
              item.find(ERROR),
              item.find(SUPERSEDED_BY),
              item.find(SANDBOX),
              false);
    };
  }

  private static Queued queued(Item item) {
    return new Queued(
        item.get(Attribute.DUE_AT),
        item.get(FAILED_STARTS, 0),
        item.flag(LAUNCHED),
        item.has(STARTED_AT)
            ? new Turn.Resumed(claimed(item), item.get(HELD_SINCE), item.get(QUEUED_AT))
            : null);
  }

  private static Turn.Claimed claimed(Item item) {
    return new Turn.Claimed(
        item.get(STARTED_AT), item.get(DEADLINE), item.get(HELD_MILLIS, 0L), item.find(PARKED));
  }

  private static Turn.@Nullable Held held(Item item) {
    return item.has(REQUEST) ? new Turn.Held(item.get(REQUEST), item.get(HELD_SINCE)) : null;
  }

  private static PushJob job(Item item) {
    return new PushJob(item.get(JOB_TARGETS), item.get(JOB_SUBJECT), item.flag(JOB_ALLOWED));
  }

  private static TurnError error(Item item) {
    return new TurnError(item.get(CODE), item.get(MESSAGE), item.flag(RETRYABLE));
  }

  private static @Nullable Instant dueAt(Turn turn) {
    return switch (turn.state()) {
      case Waiting waiting -> waiting.dueAt();
      case Queued queued -> queued.dueAt();
      case Running running -> running.dueAt();
      case Parked parked -> parked.dueAt();
      case Ended _ -> null;
    };
  }

  private static Function<Turn, @Nullable Instant> ofClaim(Function<Turn.Claimed, Instant> when) {
    return turn -> turn.claimed().map(when).orElse(null);
  }

  private static <S, V> Function<Turn, @Nullable V> of(
      Class<S> state, Function<S, @Nullable V> value) {
    return turn -> state.isInstance(turn.state()) ? value.apply(state.cast(turn.state())) : null;
  }

  private TurnItem() {}
}
