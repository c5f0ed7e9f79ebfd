package agentsessions.runner.turn;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.FailureReason;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.capture.Capture;
import agentsessions.runner.capture.CapturedFile;
import agentsessions.runner.capture.OmissionNotes;
import agentsessions.runner.control.CallRefused;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.Results;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.control.TurnOutcome;
import agentsessions.runner.repository.BranchRefused;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.turn.call.HeldCalls;
import agentsessions.runner.turn.call.KeptCalls;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.TurnUsage;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.TurnResult;
import agentsessions.wire.TurnResult.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The run of one claimed turn, from the session's folder to the committed result. A turn that is
/// lost on the way (by a follow-up, for example) ends without a result; its files stay for the next
/// turn.
final class TurnRun {
  private static final Logger LOG = LoggerFactory.getLogger(TurnRun.class);
  private static final Duration FOR_EVENTS = Duration.ofSeconds(5);
  private static final String SANDBOX_LOST =
      "What the turn before left in the sandbox could not be saved: this turn begins with the files"
          + " of an earlier one.";
  private static final String SETTLES =
      "An earlier turn ended before anybody had decided on a call. First the agent is told that it does not run.";
  private static final String STOPPED = "The machine on which the agent ran was taken away.";
  private static final Duration FOR_RESULT = Duration.ofMinutes(2);

  private final Machine machine;
  private final ServiceClient service;
  private final Claim claim;
  private final TurnLease lease;
  private final Deadline time;
  private final Mask mask;
  private final TurnUsage usage;
  private TurnDeadlines schedule;
  private boolean fetched;
  private boolean released;
  private boolean parked;

  /// @param time the deadline of the invocation
  /// @param mask hides secrets
  /// @param usage collects the agent's usage
  TurnRun(
      Machine machine,
      ServiceClient service,
      Claim claim,
      TurnLease lease,
      Deadline time,
      Mask mask,
      TurnUsage usage) {
    this.machine = machine;
    this.service = service;
    this.claim = claim;
    this.lease = lease;
    this.time = time;
    this.mask = mask;
    this.usage = usage;
    this.schedule = schedule(Duration.ZERO);
  }

  void run() throws IOException, InterruptedException {
    EventFeed feed = new EventFeed(service, mask, claim.parked().isPresent());
    try (MaskedLog.Hold _ = MaskedLog.of(mask)) {
      runOrFail(feed);
    } catch (CallRefused refused) {
      if (!refused.says("NOT_LIVE")) {
        throw refused;
      }
      LOG.info("turn interrupted {}", claim);
    } finally {
      feed.end(Duration.ZERO);
    }
  }

  /// Whether the session's folder was never fetched, so that its saved copy is unchanged, or only
  /// for a job, after which that copy is as good.
  boolean isUntouched() {
    return !fetched || claim.isJob();
  }

  /// Whether the sandbox was released with the result, or with the parking of the turn.
  boolean isReleased() {
    return released;
  }

  /// Saves the session's folder, unless that was done to park the turn. A failed save loses the
  /// folder's changes, but not the result; a folder that was never fetched is not saved, since it
  /// would replace the good copy.
  ///
  /// @return whether the next turn will have this one's changes
  boolean save() {
    if (parked) {
      return false; // which is when the next runner comes
    }
    try (MaskedLog.Hold _ = MaskedLog.of(mask)) {
      if (!isUntouched()) {
        machine.storage().save(claim, service, schedule.save());
      }
      return fetched;
    } catch (IOException failed) {
      LOG.error("sandbox.not_saved {}", claim, failed);
      return false;
    }
  }

  private void runOrFail(EventFeed feed) throws IOException, InterruptedException {
    try {
      run(feed);
    } catch (TurnFailed failed) {
      feed.end(FOR_EVENTS);
      if (lease.isLive()) {
        commit(new TurnOutcome.Failed(failed.error()).masked(mask), List.of(), reports(failed));
      } else {
        commitIfStopped();
      }
    }
  }

  private void run(EventFeed feed) throws TurnFailed, IOException, InterruptedException {
    SessionFolder folder = open();
    if (claim.turn().sandboxLost() && !claim.isJob()) {
      feed.accept(Event.message(SANDBOX_LOST));
    }
    try (TurnRepositories repositories = fetched(folder, feed)) {
      if (claim.isJob()) {
        push(repositories);
      } else {
        work(folder, repositories, feed);
      }
    } finally {
      folder.removeTurnFolders(); // only now, since an agent may have left many files
    }
  }

  private void push(TurnRepositories repositories)
      throws TurnFailed, IOException, InterruptedException {
    if (lease.isLive()) {
      repositories.pushLast(schedule.report());
      commit(new TurnOutcome.Completed(""), List.of(), repositories.reports(List.of()));
    } else {
      commitIfStopped();
    }
  }

  private void work(SessionFolder folder, TurnRepositories repositories, EventFeed feed)
      throws TurnFailed, IOException, InterruptedException {
    Optional<TurnOutcome> outcome =
        lease.isLive() ? execute(folder, repositories, feed) : Optional.empty();
    if (outcome.isPresent() && lease.isLive()) {
      TurnOutcome last =
          outcome.get() instanceof TurnOutcome.Waiting waiting
              ? park(waiting, feed)
              : outcome.get();
      if (!parked) {
        report(last, folder, repositories, feed);
      }
    } else {
      commitIfStopped();
      LOG.info("turn interrupted {}", claim);
    }
  }

  /// Leaves the turn to the runner that comes with the decision. Where that cannot be the request
  /// expires, since the agent has ended.
  ///
  /// @return the outcome where the turn was not parked
  private TurnOutcome park(TurnOutcome.Waiting waiting, EventFeed feed)
      throws IOException, InterruptedException {
    int lost = feed.flush(FOR_EVENTS);
    if (lost > 0) {
      LOG.warn("{} events were not recorded", lost);
    }
    parked = waiting.resumable() && trySave() && tryPark(waiting.request());
    released |= parked;
    if (parked) {
      LOG.info("turn parked {}", claim);
      return waiting;
    }
    return expired(waiting);
  }

  /// A decision that has come meanwhile wins, and can help nobody. The end of the turn closes the
  /// request, too.
  private TurnOutcome expired(TurnOutcome.Waiting waiting) {
    try {
      return HeldCalls.isDecided(service.expire(waiting.request()))
          ? new TurnOutcome.Failed(waiting.late())
          : waiting;
    } catch (IOException failed) {
      LOG.warn("request not expired {}: {}", claim, failed.getMessage());
      return waiting;
    }
  }

  private boolean trySave() {
    try {
      machine.storage().save(claim, service, schedule.save());
      return true;
    } catch (IOException failed) {
      LOG.error("sandbox.not_saved {}", claim, failed);
      return false;
    }
  }

  private boolean tryPark(String request) throws IOException {
    return service.park(request, usage.report(), schedule.release().atMost(FOR_RESULT));
  }

  private static List<RepositoryReport> reports(TurnFailed failed) {
    return failed instanceof BranchRefused refused ? List.of(refused.report()) : List.of();
  }

  /// Commits a result for a turn that was stopped with its task, since no other component reports
  /// its end.
  private void commitIfStopped() throws IOException {
    if (lease.isStopped()) {
      commit(TurnOutcome.failed(TurnErrorCode.SANDBOX_FAILED, STOPPED), List.of(), List.of());
    }
  }

  private TurnRepositories fetched(SessionFolder folder, EventFeed feed)
      throws TurnFailed, InterruptedException {
    try {
      return TurnRepositories.of(machine, service, claim, folder, lease, feed)
          .fetched(schedule.agent());
    } catch (IOException failed) {
      throw sandboxFailed(failed);
    }
  }

  private void report(
      TurnOutcome outcome, SessionFolder folder, TurnRepositories repositories, EventFeed feed)
      throws TurnFailed, IOException, InterruptedException {
    boolean overfull = outcome instanceof TurnOutcome.Overfull;
    if (overfull || lacksRoom(folder)) {
      folder.removeTurnFolders(); // first: what is recorded, or the service, may need the room
    }
    if (overfull) {
      commit(outcome, List.of(), List.of());
      return;
    }
    Capture capture =
        new Capture(folder, claim.agent(), machine.limits(), lease::isLive, repositories.folders());
    repositories.change(outcome, schedule.report());
    repositories.addTo(capture);
    List<CapturedFile> found = capture.find();
    if (capture.isOverLimit()) {
      commit(overLimit(outcome), List.of(), repositories.reports(List.of()));
      return;
    }
    List<Artifact> artifacts =
        new Uploader(service, capture, lease::isLive, schedule.report(), machine.clock())
            .upload(found);
    List<RepositoryReport> reports = repositories.reports(artifacts);
    TurnOutcome last = clip(outcome, artifacts, reports, capture.notes());
    say(feed, capture.notes());
    commit(last, artifacts, reports);
    capture.commit();
  }

  /// Whether all that a turn may record leaves less free than the disk is to have.
  private boolean lacksRoom(SessionFolder folder) throws IOException {
    return Files.getFileStore(folder.work()).getUsableSpace()
        < machine.limits().recorded() + machine.limits().free();
  }

  private SessionFolder open() throws TurnFailed {
    try {
      long begun = System.nanoTime();
      machine.storage().fetch(claim, service);
      fetched = true;
      schedule = schedule(Duration.ofNanos(System.nanoTime() - begun));
      return machine
          .folders()
          .of(claim.turn().sessionId())
          .open(AgentEnvironment.seed(claim.agent(), machine.environment()));
    } catch (IOException failed) {
      throw sandboxFailed(failed);
    }
  }

  private Optional<TurnOutcome> execute(
      SessionFolder folder, TurnRepositories repositories, EventFeed feed)
      throws TurnFailed, InterruptedException {
    machine.requireHostsJudged(claim);
    ModelBudget budget = usage.budget();
    KeptCalls kept = new KeptCalls(folder);
    TurnPermissions permissions =
        TurnPermissions.of(service, claim, schedule.decision(), mask, feed, budget, kept);
    try (permissions) {
      Path io = folder.makeTurnFolder(permissions.message().orElse(claim.turn().message()));
      new Preparation(
              machine,
              claim,
              folder,
              repositories.folders(),
              io,
              feed,
              permissions.hosts(),
              budget.clock(),
              mask)
          .run(lease, schedule.agent());
      if (permissions.parkedDecision().isEmpty() && !kept.all().isEmpty()) {
        feed.accept(Event.message(SETTLES));
        Optional<TurnOutcome> told =
            run(folder, repositories, io, feed, permissions, Optional.of(kept));
        if (told.isEmpty() || !(kept.all().isEmpty() || keepsNone(told.get()))) {
          return told;
        }
      }
      return run(folder, repositories, io, feed, permissions, Optional.empty());
    } catch (IOException failed) {
      throw sandboxFailed(failed);
    }
  }

  private Optional<TurnOutcome> run(
      SessionFolder folder,
      TurnRepositories repositories,
      Path io,
      EventFeed feed,
      TurnPermissions permissions,
      Optional<KeptCalls> settled)
      throws TurnFailed, IOException, InterruptedException {
    return lease.isLive()
        ? new AgentRun(
                machine, claim, folder, repositories, io, feed, permissions, mask, usage, settled)
            .run(lease, schedule.agent())
        : Optional.empty();
  }

  /// Whether an agent that was started without a message had no call to go on with: it keeps none,
  /// or has another conversation now. If it comes back to that one it still has to hear of it.
  private boolean keepsNone(TurnOutcome told) {
    return switch (told) {
      case TurnOutcome.Completed _ -> true;
      case TurnOutcome.Failed(FailureReason error) ->
          Optional.ofNullable(claim.agent().gate())
              .filter(gate -> gate.keepsNone(error.message()))
              .isPresent();
      default -> false;
    };
  }

  private TurnDeadlines schedule(Duration fetch) {
    return TurnDeadlines.of(time, machine.storage().timeToSave(fetch));
  }

  private TurnFailed sandboxFailed(IOException failed) {
    LOG.warn("turn {}", claim, failed);
    return new TurnFailed(TurnErrorCode.SANDBOX_FAILED, "The agent's sandbox could not be made.");
  }

  private static TurnOutcome overLimit(TurnOutcome outcome) {
    return outcome instanceof TurnOutcome.Completed ? overLimit() : outcome;
  }

  private static TurnOutcome overLimit() {
    return TurnOutcome.failed(
        TurnErrorCode.LIMIT_EXCEEDED,
        "The session's files are more than it may have; ask the agent to delete some.");
  }

  private static TurnOutcome clip(
      TurnOutcome outcome,
      List<Artifact> artifacts,
      List<RepositoryReport> reports,
      OmissionNotes notes)
      throws IOException {
    if (!(outcome instanceof TurnOutcome.Completed(String reply))) {
      return outcome;
    }
    String kept = Results.fitting(reply, artifacts, reports);
    if (kept.length() < reply.length()) {
      notes.replyCut();
    }
    return new TurnOutcome.Completed(kept);
  }

  private static void say(EventFeed feed, OmissionNotes notes) throws InterruptedException {
    if (!notes.sentences().isEmpty()) {
      feed.note(Event.message(String.join("\n", notes.sentences())));
    }
    int lost = feed.end(FOR_EVENTS);
    if (lost > 0) {
      LOG.warn("{} events were not recorded", lost);
    }
  }

  private void commit(TurnOutcome outcome, List<Artifact> artifacts, List<RepositoryReport> reports)
      throws IOException {
    List<RepositoryReport> masked =
        reports.stream().map(report -> Results.masked(report, mask)).toList();
    TurnResult plain = Results.of(outcome, artifacts, masked, usage.report());
    TurnResult result = machine.storage().staysOnMachine() ? plain.releasing() : plain;
    released = service.result(result, schedule.report().atMost(FOR_RESULT));
    LOG.info(
        "turn {} {} {}artifacts={}", result.outcome(), claim, reason(result), artifacts.size());
  }

  private static String reason(TurnResult result) {
    return result.error() == null ? "" : "code=" + result.error().code() + " ";
  }
}
