package agentsessions.session;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One user message and what became of it; the API calls it a thread.
///
/// `number` counts the turns of a session from 1. `dispatch` numbers the executions. `fence` is the
/// highest claim so far (dispatch * 1000 + attempt): only its holder may write. `account` is what
/// it may use and has used.
public record Turn(
    TurnKey key,
    String agentName,
    long number,
    String baseUrl,
    Stamps stamps,
    Counts counts,
    int dispatch,
    long fence,
    Work work,
    State state,
    Account account) {

  /// Whose key sent its message, what that lets it use, and what it has used, as its runner last
  /// said. `settled`: that is in the sums, and stays as it is.
  public record Account(String keyId, Ceilings limits, Usage usage, boolean settled) {
    /// Of a turn that has used nothing and is let use anything.
    public static Account open(String keyId) {
      return new Account(keyId, Ceilings.NONE, Usage.NONE, false);
    }
  }

  /// When its session was created, and what bounds the stamps of its messages.
  public record Stamps(Stamp sessionCreated, Stamp first, Stamp last) {}

  /// What its runner has sent: `events` are progress and tool calls together.
  public record Counts(int events, int progress, int toolCalls) {
    public static final Counts NONE = new Counts(0, 0, 0);
  }

  /// What there is to work on beside the message. `repositories` is how far they had come when the
  /// turn was accepted, or, once it has ended as its runner said, what it made of them. `stands`:
  /// its session was given something for all of its turns; `files`: its message brought some;
  /// `hooked`: its session has a webhook of its own.
  public record Work(
      @Nullable String model,
      List<Repository> repositories,
      boolean stands,
      boolean files,
      boolean hooked) {
    public static final Work NONE = new Work(null, List.of(), false, false, false);

    /// Of a turn that the session is given next.
    ///
    /// @param files whether its message brings some
    public static Work of(Session session, @Nullable String model, boolean files) {
      return new Work(
          model,
          session.repositories(),
          !session.repositories().isEmpty()
              || !session.environment().equals(Environment.Names.NONE),
          files,
          session.hooked());
    }
  }

  /// How far it has come. `dueAt` is when the sweep looks at a live one.
  public sealed interface State {
    TurnStatus status();

    /// Nobody has claimed it. `vainStarts` counts the dispatches before the present one whose
    /// runner was started and did not claim; `handedOver`: the present one's is being started, for
    /// all that is known.
    record Queued(Instant dueAt, int vainStarts, boolean handedOver) implements State {
      @Override
      public TurnStatus status() {
        return TurnStatus.QUEUED;
      }

      /// How many runners were started for it and did not claim it.
      public int startsInVain() {
        return vainStarts + (handedOver ? 1 : 0);
      }

      /// As it is once it is known that the present dispatch has started none.
      public Queued notStarted() {
        return new Queued(dueAt, vainStarts, false);
      }
    }

    /// Its runner is believed to be alive until its lease runs out.
    record Running(Claimed claimed, Instant leaseUntil, Instant dueAt) implements State {
      @Override
      public TurnStatus status() {
        return TurnStatus.RUNNING;
      }
    }

    /// Final for ever. `claimed` is null where it ended before anybody claimed it, and so is
    /// `sandbox`, what became of its files. `reported`: it ended as its runner said.
    record Ended(
        TurnStatus status,
        @Nullable Claimed claimed,
        Instant endedAt,
        boolean reported,
        @Nullable TurnError error,
        @Nullable TurnId supersededBy,
        @Nullable SandboxState sandbox)
        implements State {}
  }

  /// When a runner claimed it, and until when that runner has time.
  public record Claimed(Instant startedAt, Instant deadline) {}

  /// How often a runner is started in vain before the turn is given up.
  public static final int MAX_STARTS = 5;

  /// After its deadline a turn whose runner is alive has this long to report what it made.
  public static final Duration LAST_WORDS = Duration.ofMinutes(10);

  /// A turn as its message makes it.
  public static Turn queued(
      Session session,
      long number,
      Receipt receipt,
      String baseUrl,
      Instant dueAt,
      Work work,
      String keyId,
      Ceilings limits) {
    return new Turn(
        receipt.turn(),
        session.agentName(),
        number,
        baseUrl,
        new Stamps(session.createdAt(), receipt.stamp(), receipt.stamp()),
        Counts.NONE,
        1,
        0,
        work,
        new State.Queued(dueAt, 0, false),
        new Account(keyId, limits, Usage.NONE, false));
  }

  /// The turn as the claim of a runner makes it.
  public Turn running(long by, State.Running running) {
    return new Turn(
        key, agentName, number, baseUrl, stamps, counts, dispatch, by, work, running, account);
  }

  /// The turn as its messages are counted, without what may be large.
  public Turn counted() {
    return new Turn(
        key,
        agentName,
        number,
        baseUrl,
        stamps,
        counts,
        dispatch,
        fence,
        Work.NONE,
        state,
        Account.open(account.keyId()));
  }

  /// Attempts of one execution share its dispatch number; a claim must have a higher fence than any
  /// before it.
  public static long fence(int dispatch, int attempt) {
    return dispatch * 1000L + attempt;
  }

  public TurnId id() {
    return key.id();
  }

  public SessionId sessionId() {
    return key.sessionId();
  }

  public TurnStatus status() {
    return state.status();
  }

  public Stamp firstStamp() {
    return stamps.first();
  }

  public Stamp lastStamp() {
    return stamps.last();
  }

  /// What the message that made it was given.
  public Receipt receipt() {
    return new Receipt(key, firstStamp());
  }

  public boolean live() {
    return !(state instanceof State.Ended);
  }

  /// Its claim, whatever became of it afterwards.
  public Optional<Claimed> claimed() {
    return switch (state) {
      case State.Queued _ -> Optional.empty();
      case State.Running running -> Optional.of(running.claimed());
      case State.Ended ended -> Optional.ofNullable(ended.claimed());
    };
  }

  /// True where the sweep is to look at it at `now`.
  public boolean due(Instant now) {
    return switch (state) {
      case State.Queued queued -> !queued.dueAt().isAfter(now);
      case State.Running running -> !running.dueAt().isAfter(now);
      case State.Ended _ -> false;
    };
  }

  /// True where its runner may be at work at `now`.
  public boolean leased(Instant now) {
    return state instanceof State.Running running && !running.leaseUntil().isBefore(now);
  }

  /// What it has used, as far as that is known.
  public Usage usage() {
    return ended()
        .map(end -> account.usage().at(activeMillis(end.endedAt())))
        .orElse(account.usage());
  }

  /// Whether nothing can be added to that: it is in the sums, or nobody ever ran it.
  public boolean isSettled() {
    return account.settled() || (!live() && claimed().isEmpty());
  }

  /// How long it has run, if it runs until then.
  public long activeMillis(Instant then) {
    return claimed()
        .map(claim -> Math.max(0, Duration.between(claim.startedAt(), then).toMillis()))
        .orElse(0L);
  }

  /// How it ended, if it has.
  public Optional<State.Ended> ended() {
    return state instanceof State.Ended ended ? Optional.of(ended) : Optional.empty();
  }

  /// True where it ended as its runner said.
  public boolean reported() {
    return ended().filter(State.Ended::reported).isPresent();
  }
}
