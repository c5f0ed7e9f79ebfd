package agentsessions.session;

import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One user message and the agent's work on it; the API calls it a thread.
///
/// `number` counts the turns of a session from 1, in the order in which they began. `dispatch`
/// numbers the executions. `fence` is the highest claim so far (dispatch * 1000 + attempt): only
/// its holder may write. `account` holds its ceilings and its usage.
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

  /// The API key that sent its message, its ceilings, and its usage as its runner last reported it.
  /// `settled`: the usage is in the sums and does not change any more.
  public record Account(String keyId, Ceilings limits, Usage usage, boolean settled) {
    /// The account of a turn without usage and without ceilings.
    public static Account open(String keyId) {
      return new Account(keyId, Ceilings.NONE, Usage.NONE, false);
    }
  }

  /// The time of its session's creation, and the bounds of its messages' stamps.
  public record Stamps(Stamp sessionCreated, Stamp first, Stamp last) {}

  /// The numbers of messages that its runner has sent: `events` are progress and tool calls
  /// together.
  public record Counts(int events, int progress, int toolCalls) {
    public static final Counts NONE = new Counts(0, 0, 0);

    /// The numbers before each of the next events, and last those after all of them.
    public List<Counts> through(List<Message> next) {
      List<Counts> counts = new ArrayList<>(List.of(this));
      next.forEach(event -> counts.add(counts.getLast().plus(event.kind())));
      return List.copyOf(counts);
    }

    private Counts plus(MessageKind event) {
      return event == MessageKind.TOOL_CALL
          ? new Counts(events + 1, progress, toolCalls + 1)
          : new Counts(events + 1, progress + 1, toolCalls);
    }

    /// The number of events of this kind.
    public int of(MessageKind event) {
      return event == MessageKind.TOOL_CALL ? toolCalls : progress;
    }
  }

  /// The inputs of a turn beside its message. `repositories` is their state when the turn was
  /// accepted, or, once its runner has reported its end, the state at that end. `hasStoredInputs`:
  /// the session keeps inputs for all of its turns; `files`: the message brought files;
  /// `hasWebhook`: the session has a webhook of its own; `permissions`: the version that it began
  /// with, null where everything is allowed; `approved`: it carries out a plan that was allowed;
  /// `job`: what it does in place of an agent's work, else null.
  public record Work(
      @Nullable String model,
      List<Repository> repositories,
      boolean hasStoredInputs,
      boolean files,
      boolean hasWebhook,
      @Nullable String permissions,
      boolean approved,
      @Nullable PushJob job) {
    public static final Work NONE =
        new Work(null, List.of(), false, false, false, null, false, null);

    /// The inputs of the next turn of a session.
    ///
    /// @param files whether its message brings files
    public static Work of(Session session, @Nullable String model, boolean files) {
      return new Work(
          model,
          session.configuration().repositories(),
          session.configuration().hasStoredInputs(),
          files,
          session.hasWebhook(),
          session.permissions(),
          false,
          null);
    }

    private Work asApproved() {
      return new Work(
          model, repositories, hasStoredInputs, files, hasWebhook, permissions, true, job);
    }
  }

  /// The progress of a turn. `dueAt` is when the sweep looks at a live one.
  public sealed interface State {
    TurnStatus status();

    /// It waits for other turns of its session. It has no number, and its message is no part of the
    /// history yet. `position` is its place in the queue from 1, 0 where that was not read.
    record Waiting(Instant dueAt, int position) implements State {
      @Override
      public TurnStatus status() {
        return TurnStatus.QUEUED;
      }
    }

    /// No runner has claimed it. `failedStarts` counts the earlier dispatches whose runner was
    /// started and did not claim; `launched`: as far as is known, a runner is being started for the
    /// present dispatch. `resumed`: where it goes on, if it was parked before.
    record Queued(Instant dueAt, int failedStarts, boolean launched, @Nullable Resumed resumed)
        implements State {
      @Override
      public TurnStatus status() {
        return TurnStatus.QUEUED;
      }

      /// The number of runners that were started for it and did not claim it.
      public int unclaimedStarts() {
        return failedStarts + (launched ? 1 : 0);
      }

      /// The same, once it is known that no runner was started for the present dispatch.
      public Queued notStarted() {
        return new Queued(dueAt, failedStarts, false, resumed);
      }
    }

    /// Its runner is believed to be alive until its lease runs out. `held`: its agent waits for a
    /// decision.
    record Running(Claimed claimed, Instant leaseUntil, Instant dueAt, @Nullable Held held)
        implements State {
      @Override
      public TurnStatus status() {
        return TurnStatus.RUNNING;
      }
    }

    /// It waits for a decision, and no runner has it; it is due when the request expires.
    record Parked(Claimed claimed, Instant dueAt, Held held) implements State {
      @Override
      public TurnStatus status() {
        return TurnStatus.PARKED;
      }
    }

    /// Final for ever. `claimed` is null where it ended before any claim, and so is `sandbox`, the
    /// state of its files. `reported`: its runner reported its end. `undecided`: a person has yet
    /// to decide on its plan or its pushes; false where the session was not read.
    record Ended(
        TurnStatus status,
        @Nullable Claimed claimed,
        Instant endedAt,
        boolean reported,
        @Nullable TurnError error,
        @Nullable TurnId supersededBy,
        @Nullable SandboxState sandbox,
        boolean undecided)
        implements State {
      private Ended leftUndecided() {
        return new Ended(status, claimed, endedAt, reported, error, supersededBy, sandbox, true);
      }
    }
  }

  /// The claim of a runner: its time, and the deadline of the turn. Of a turn that was parked the
  /// time of the first claim, and the deadline by the last one.
  ///
  /// @param heldMillis for which its agent has waited for decisions that were made, or for a runner
  ///   after one
  /// @param parked the request for which it was last parked
  public record Claimed(
      Instant startedAt, Instant deadline, long heldMillis, @Nullable RequestId parked) {}

  /// A turn that is queued again after it was parked.
  ///
  /// @param since the time from which its agent makes no step
  public record Resumed(Claimed claimed, Instant since, Instant queuedAt) {}

  /// The request that a turn's agent waits for, or a session after its turn, and since when.
  ///
  /// @param since in whole milliseconds
  public record Held(RequestId request, Instant since) {
    /// The stamp of the request's creation.
    public Stamp createdAt() {
      return Stamp.of(since);
    }
  }

  /// The number of starts without a claim after which the turn is given up.
  public static final int MAX_STARTS = 5;

  /// The time after its deadline in which a turn whose runner is alive may still report its end.
  public static final Duration REPORT_GRACE = Duration.ofMinutes(10);

  /// A new turn for an accepted message.
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
        new State.Queued(dueAt, 0, false, null),
        new Account(keyId, limits, Usage.NONE, false));
  }

  /// A new turn for a message that waits for other turns.
  ///
  /// @param dueAt the time at which the sweep sees whether it was forgotten
  public static Turn waiting(
      Session session, Receipt receipt, String baseUrl, Instant dueAt, FollowUp followUp) {
    return new Turn(
        receipt.turn(),
        session.agentName(),
        0,
        baseUrl,
        new Stamps(session.createdAt(), receipt.stamp(), receipt.stamp()),
        Counts.NONE,
        1,
        0,
        new Work(
            followUp.model(),
            List.of(),
            false,
            !followUp.files().isEmpty(),
            session.hasWebhook(),
            null,
            false,
            null),
        new State.Waiting(dueAt, 0),
        new Account(followUp.keyId(), followUp.limits(), Usage.NONE, false));
  }

  /// A new job of an idle session. It counts as part of the last turn.
  ///
  /// @param keyId the API key that asked for it
  public static Turn job(
      Session session, Receipt receipt, String baseUrl, Instant dueAt, PushJob job, String keyId) {
    List<Repository> repositories = session.configuration().repositories();
    return queued(
        session,
        session.turns().number(),
        receipt,
        baseUrl,
        dueAt,
        new Work(null, repositories, true, false, false, session.permissions(), false, job),
        keyId,
        Ceilings.NONE);
  }

  /// The same when its time has come: from `stamp` on it is the session's current turn.
  public Turn begun(Session session, Stamp stamp, Instant dueAt) {
    return queued(
        session,
        session.turns().number() + 1,
        new Receipt(key, stamp),
        baseUrl,
        dueAt,
        Work.of(session, work.model() == null ? session.model() : work.model(), work.files()),
        account.keyId(),
        account.limits());
  }

  /// The same, to carry out a plan that was allowed.
  public Turn approved() {
    return with(fence, work.asApproved(), state);
  }

  /// The same after the claim of a runner.
  public Turn running(long by, State.Running running) {
    return with(by, work, running);
  }

  private Turn with(long by, Work given, State now) {
    return new Turn(
        key, agentName, number, baseUrl, stamps, counts, dispatch, by, given, now, account);
  }

  /// The fence of a claim. Attempts of one execution share its dispatch number; a claim must have a
  /// higher fence than any before it.
  public static long fence(int dispatch, int attempt) {
    return dispatch * 1000L + attempt;
  }

  public TurnId id() {
    return key.id();
  }

  /// Whether it is a job of its session, which no client sees as a thread.
  public boolean isJob() {
    return id().isJob();
  }

  /// The time after its deadline in which its runner, if it is alive, may still report its end.
  public Duration reportGrace() {
    return isJob() ? Duration.ZERO : REPORT_GRACE;
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

  /// The receipt of its message.
  public Receipt receipt() {
    return new Receipt(key, firstStamp());
  }

  public boolean live() {
    return !(state instanceof State.Ended);
  }

  /// Its claim, also after it has ended.
  public Optional<Claimed> claimed() {
    return switch (state) {
      case State.Waiting _ -> Optional.empty();
      case State.Queued queued -> Optional.ofNullable(queued.resumed()).map(Resumed::claimed);
      case State.Running running -> Optional.of(running.claimed());
      case State.Parked parked -> Optional.of(parked.claimed());
      case State.Ended ended -> Optional.ofNullable(ended.claimed());
    };
  }

  /// The same with what only its session knows: its place in the queue, if it waits, or whether a
  /// person has yet to decide on what it has left.
  public Turn seenFrom(Session session) {
    return switch (state) {
      case State.Waiting waiting ->
          with(
              fence, work, new State.Waiting(waiting.dueAt(), session.waiting().indexOf(id()) + 1));
      case State.Ended ended when session.isUndecided(id()) ->
          with(fence, work, ended.leftUndecided());
      case State.Queued _, State.Running _, State.Parked _, State.Ended _ -> this;
    };
  }

  public boolean waits() {
    return state instanceof State.Waiting;
  }

  /// True where the sweep is to look at it at `now`.
  public boolean due(Instant now) {
    return switch (state) {
      case State.Waiting waiting -> !waiting.dueAt().isAfter(now);
      case State.Queued queued -> !queued.dueAt().isAfter(now);
      case State.Running running -> !running.dueAt().isAfter(now);
      case State.Parked parked -> !parked.dueAt().isAfter(now);
      case State.Ended _ -> false;
    };
  }

  /// True where its runner may be at work at `now`.
  public boolean leased(Instant now) {
    return state instanceof State.Running running && !running.leaseUntil().isBefore(now);
  }

  /// Its usage as far as it is known.
  public Usage usage() {
    return ended()
        .map(end -> account.usage().at(activeMillis(end.endedAt())))
        .orElse(account.usage());
  }

  /// Whether its usage is final: it is in the sums, or no runner ever claimed the turn. A job uses
  /// nothing.
  public boolean isSettled() {
    return isJob() || account.settled() || (!live() && claimed().isEmpty());
  }

  /// Whether a runner has it.
  public boolean isRunning() {
    return state instanceof State.Running;
  }

  /// Whether it has begun, and no runner has it: it is parked, or queued again.
  public boolean isPaused() {
    return switch (state) {
      case State.Parked _ -> true;
      case State.Queued queued -> queued.resumed() != null;
      case State.Waiting _, State.Running _, State.Ended _ -> false;
    };
  }

  /// The request for which it was last parked.
  public Optional<RequestId> parked() {
    return claimed().flatMap(claim -> Optional.ofNullable(claim.parked()));
  }

  /// The time from which it waits, or waited, for a runner.
  public Instant queuedAt() {
    return resumed().map(Resumed::queuedAt).orElse(firstStamp().instant());
  }

  private Optional<Resumed> resumed() {
    return state instanceof State.Queued queued
        ? Optional.ofNullable(queued.resumed())
        : Optional.empty();
  }

  /// The number of requests that people have yet to decide: of its agent, or about what it has
  /// left.
  public int pendingRequests() {
    boolean isUndecided = ended().filter(State.Ended::undecided).isPresent();
    return isUndecided || held().isPresent() ? 1 : 0;
  }

  /// Whether a person may have to decide on what it has left: on a plan or pushes of its own, or on
  /// those of a job after it.
  public boolean mayBeUndecided() {
    return !live() && (work.permissions() != null || !work.repositories().isEmpty());
  }

  /// The request that its agent waits for, if it does.
  public Optional<Held> held() {
    return switch (state) {
      case State.Running running -> Optional.ofNullable(running.held());
      case State.Parked parked -> Optional.of(parked.held());
      case State.Waiting _, State.Queued _, State.Ended _ -> Optional.empty();
    };
  }

  /// The time since which its agent makes no step, though the turn has begun and not ended.
  public Optional<Instant> heldSince() {
    return held().map(Held::since).or(() -> resumed().map(Resumed::since));
  }

  /// The milliseconds until then for which its agent has waited for decisions, this one included,
  /// and for a runner after one.
  public long heldMillis(Instant then) {
    long before = claimed().map(Claimed::heldMillis).orElse(0L);
    return before
        + heldSince()
            .map(since -> Math.max(0, Duration.between(since, then).toMillis()))
            .orElse(0L);
  }

  /// Its deadline: while its agent waits for a decision, that moves on with the time.
  public Optional<Instant> deadline(Instant now) {
    return claimed()
        .map(claim -> claim.deadline().plusMillis(heldMillis(now) - claim.heldMillis()));
  }

  /// Its running time until then, in milliseconds, without the time for which its agent waited for
  /// decisions; 0 where it was never claimed.
  public long activeMillis(Instant then) {
    return claimed()
        .map(claim -> Duration.between(claim.startedAt(), then).toMillis() - heldMillis(then))
        .map(millis -> Math.max(0, millis))
        .orElse(0L);
  }

  /// Its end, if it has ended.
  public Optional<State.Ended> ended() {
    return state instanceof State.Ended ended ? Optional.of(ended) : Optional.empty();
  }

  /// True where its runner reported its end.
  public boolean reported() {
    return ended().filter(State.Ended::reported).isPresent();
  }
}
