package agentsessions.table.item;

import agentsessions.session.SandboxState;
import agentsessions.session.Turn;
import agentsessions.session.Turn.State.Ended;
import agentsessions.session.Turn.State.Queued;
import agentsessions.session.Turn.State.Running;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import agentsessions.table.Attribute;
import agentsessions.table.CeilingValues;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import agentsessions.table.RepositoryValues;
import agentsessions.table.Shards;
import agentsessions.table.UsageValues;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The item of a turn. It is put whole when it is accepted; then its attributes change one by one,
/// and what is 0 or false is not there until it is.
public final class TurnItem {
  private static final Attribute<Turn, String> AGENT =
      new Attribute<>("agent", Kept.TEXT, Turn::agentName);
  private static final Attribute<Turn, Long> NUMBER =
      new Attribute<>("seq", Kept.NUMBER, Turn::number);
  private static final Attribute<Turn, String> STATUS =
      new Attribute<>("status", Kept.TEXT, turn -> turn.status().name());
  private static final Attribute<Turn, Long> DISPATCH =
      new Attribute<>("dispatch", Kept.NUMBER, turn -> (long) turn.dispatch());
  private static final Attribute<Turn, Long> FENCE =
      new Attribute<>("fence", Kept.NUMBER, Turn::fence);
  private static final Attribute<Turn, String> BASE_URL =
      new Attribute<>("base_url", Kept.TEXT, Turn::baseUrl);
  private static final Attribute<Turn, Stamp> SESSION_CREATED =
      new Attribute<>("session_created", Kept.STAMP, turn -> turn.stamps().sessionCreated());
  private static final Attribute<Turn, Stamp> FIRST =
      new Attribute<>("first_ts", Kept.STAMP, Turn::firstStamp);
  private static final Attribute<Turn, Stamp> LAST =
      new Attribute<>("last_ts", Kept.STAMP, Turn::lastStamp);
  private static final Attribute<Turn, Long> EVENTS =
      new Attribute<>("events", Kept.NUMBER, turn -> (long) turn.counts().events());
  private static final Attribute<Turn, Long> PROGRESS =
      new Attribute<>("progress", Kept.NUMBER, turn -> positive(turn.counts().progress()));
  private static final Attribute<Turn, Long> TOOL_CALLS =
      new Attribute<>("tool_calls", Kept.NUMBER, turn -> positive(turn.counts().toolCalls()));
  private static final Attribute<Turn, String> LIVE =
      new Attribute<>("LIVE", Kept.TEXT, turn -> turn.live() ? Shards.live(turn.id()) : null);
  private static final Attribute<Turn, Instant> DUE_AT =
      new Attribute<>("due_at", Kept.INSTANT, TurnItem::dueAt);
  private static final Attribute<Turn, Long> VAIN_STARTS =
      new Attribute<>(
          "vain_starts", Kept.NUMBER, of(Queued.class, queued -> positive(queued.vainStarts())));
  private static final Attribute<Turn, Boolean> HANDED_OVER =
      new Attribute<>(
          "handed_over", Kept.FLAG, of(Queued.class, queued -> set(queued.handedOver())));
  private static final Attribute<Turn, Instant> STARTED_AT =
      new Attribute<>(
          "started_at",
          Kept.INSTANT,
          turn -> turn.claimed().map(Turn.Claimed::startedAt).orElse(null));
  private static final Attribute<Turn, Instant> DEADLINE =
      new Attribute<>(
          "deadline",
          Kept.INSTANT,
          turn -> turn.claimed().map(Turn.Claimed::deadline).orElse(null));
  private static final Attribute<Turn, Instant> LEASE_UNTIL =
      new Attribute<>("lease_until", Kept.INSTANT, of(Running.class, Running::leaseUntil));
  private static final Attribute<Turn, Instant> ENDED_AT =
      new Attribute<>("ended_at", Kept.INSTANT, of(Ended.class, Ended::endedAt));
  private static final Attribute<Turn, Boolean> REPORTED =
      new Attribute<>("reported", Kept.FLAG, of(Ended.class, ended -> set(ended.reported())));
  private static final Attribute<Turn, TurnError> ERROR =
      new Attribute<>("error", Kept.ERROR, of(Ended.class, Ended::error));
  private static final Attribute<Turn, UUID> SUPERSEDED_BY =
      new Attribute<>(
          "superseded_by",
          Kept.ID,
          of(Ended.class, ended -> nullable(ended.supersededBy(), TurnId::value)));
  private static final Attribute<Turn, String> SANDBOX =
      new Attribute<>(
          "sandbox",
          Kept.TEXT,
          of(Ended.class, ended -> nullable(ended.sandbox(), SandboxState::name)));
  private static final Attribute<Turn, String> MODEL =
      new Attribute<>("model", Kept.TEXT, turn -> turn.work().model());
  private static final Attribute<Turn, List<Repository>> REPOSITORIES =
      new Attribute<>(
          "repositories",
          RepositoryValues.KEPT,
          turn -> turn.work().repositories().isEmpty() ? null : turn.work().repositories());
  private static final Attribute<Turn, Boolean> STANDS =
      new Attribute<>("stands", Kept.FLAG, turn -> set(turn.work().stands()));
  private static final Attribute<Turn, Boolean> FILES =
      new Attribute<>("files", Kept.FLAG, turn -> set(turn.work().files()));

  private static final Attribute<Turn, Boolean> HOOKED =
      new Attribute<>("hooked", Kept.FLAG, turn -> set(turn.work().hooked()));

  /// Of the key that sent the message.
  private static final Attribute<Turn, String> KEY_ID =
      new Attribute<>("key_id", Kept.TEXT, turn -> turn.account().keyId());

  private static final Attribute<Turn, Ceilings> LIMITS =
      new Attribute<>(
          "limits", CeilingValues.KEPT, turn -> CeilingValues.filled(turn.account().limits()));
  private static final Attribute<Turn, Usage> USAGE =
      new Attribute<>(
          "usage",
          UsageValues.KEPT,
          turn -> turn.account().usage().equals(Usage.NONE) ? null : turn.account().usage());
  private static final Attribute<Turn, Boolean> SETTLED =
      new Attribute<>("settled", Kept.FLAG, turn -> set(turn.account().settled()));

  private static final Kind<Turn> KIND =
      new Kind<>(
          Turn.class,
          turn -> Layout.turn(turn.key()),
          TurnItem::turn,
          List.of(
              AGENT,
              NUMBER,
              STATUS,
              DISPATCH,
              FENCE,
              BASE_URL,
              SESSION_CREATED,
              FIRST,
              LAST,
              EVENTS,
              PROGRESS,
              TOOL_CALLS,
              LIVE,
              DUE_AT,
              VAIN_STARTS,
              HANDED_OVER,
              STARTED_AT,
              DEADLINE,
              LEASE_UNTIL,
              ENDED_AT,
              REPORTED,
              ERROR,
              SUPERSEDED_BY,
              SANDBOX,
              MODEL,
              REPOSITORIES,
              STANDS,
              FILES,
              HOOKED,
              KEY_ID,
              LIMITS,
              USAGE,
              SETTLED));

  public static Turn read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Turn turn) {
    return KIND.put(turn);
  }

  private static Turn turn(Layout.Key key, Parts parts) {
    return new Turn(
        key.turn(),
        parts.get(AGENT),
        parts.get(NUMBER),
        parts.get(BASE_URL),
        new Turn.Stamps(parts.get(SESSION_CREATED), parts.get(FIRST), parts.get(LAST)),
        new Turn.Counts(parts.count(EVENTS), parts.count(PROGRESS), parts.count(TOOL_CALLS)),
        parts.count(DISPATCH),
        parts.get(FENCE),
        new Turn.Work(
            parts.find(MODEL),
            parts.get(REPOSITORIES, List.of()),
            parts.flag(STANDS),
            parts.flag(FILES),
            parts.flag(HOOKED)),
        state(TurnStatus.valueOf(parts.get(STATUS)), parts),
        new Turn.Account(
            parts.get(KEY_ID),
            parts.get(LIMITS, Ceilings.NONE),
            parts.get(USAGE, Usage.NONE),
            parts.flag(SETTLED)));
  }

  private static Turn.State state(TurnStatus status, Parts parts) {
    return switch (status) {
      case QUEUED ->
          new Queued(parts.get(DUE_AT), parts.count(VAIN_STARTS), parts.flag(HANDED_OVER));
      case RUNNING -> new Running(claimed(parts), parts.get(LEASE_UNTIL), parts.get(DUE_AT));
      case COMPLETED, FAILED, INTERRUPTED, CANCELLED, TIMED_OUT ->
          new Ended(
              status,
              parts.find(STARTED_AT) == null ? null : claimed(parts),
              parts.get(ENDED_AT),
              parts.flag(REPORTED),
              parts.find(ERROR),
              nullable(parts.find(SUPERSEDED_BY), TurnId::new),
              nullable(parts.find(SANDBOX), SandboxState::valueOf));
    };
  }

  private static Turn.Claimed claimed(Parts parts) {
    return new Turn.Claimed(parts.get(STARTED_AT), parts.get(DEADLINE));
  }

  private static @Nullable Instant dueAt(Turn turn) {
    return switch (turn.state()) {
      case Queued queued -> queued.dueAt();
      case Running running -> running.dueAt();
      case Ended _ -> null;
    };
  }

  private static <S, V> Function<Turn, @Nullable V> of(
      Class<S> state, Function<S, @Nullable V> value) {
    return turn -> state.isInstance(turn.state()) ? value.apply(state.cast(turn.state())) : null;
  }

  private static @Nullable Long positive(int count) {
    return count > 0 ? (long) count : null;
  }

  private static @Nullable Boolean set(boolean flag) {
    return flag ? true : null;
  }

  private static <A, B> @Nullable B nullable(@Nullable A value, Function<A, B> as) {
    return value == null ? null : as.apply(value);
  }

  private TurnItem() {}
}
