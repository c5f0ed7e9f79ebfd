package agentsessions.runner.turn;

import static java.util.Objects.requireNonNull;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.LiveOutput;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.ProcessOutput;
import agentsessions.runner.agent.Transcript;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.agent.tool.PlanMode;
import agentsessions.runner.agent.tool.ToolJudge;
import agentsessions.runner.agent.tool.WorkspaceFolder;
import agentsessions.runner.capture.Globs;
import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ReplyReader;
import agentsessions.runner.control.TurnOutcome;
import agentsessions.runner.network.connection.PortForward;
import agentsessions.runner.network.host.HostJudge;
import agentsessions.runner.network.model.ModelResponses;
import agentsessions.runner.repository.ScriptRunner;
import agentsessions.runner.sandbox.AgentProcess;
import agentsessions.runner.sandbox.ClientVariables;
import agentsessions.runner.sandbox.HiddenSettings;
import agentsessions.runner.sandbox.MountPoints;
import agentsessions.runner.sandbox.Sandbox;
import agentsessions.runner.sandbox.SandboxCommand;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.disk.DiskWatch;
import agentsessions.runner.turn.call.HeldCalls;
import agentsessions.runner.turn.call.KeptCalls;
import agentsessions.runner.turn.call.KeptCallsConsent;
import agentsessions.runner.turn.call.ParkedDecision;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.TurnUsage;
import agentsessions.wire.Work;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The run of an agent's command with a turn's message, from its start to the outcome that is read
/// from its output. Or without a message, only to tell an agent that what it keeps of a turn that
/// has ended does not run.
final class AgentRun {
  private static final Logger LOG = LoggerFactory.getLogger(AgentRun.class);

  private static final String OVER =
      "The turn of this call has ended: it does not run. Call no tool now, another message follows.";
  private static final String CANNOT_SETTLE =
      "An earlier turn of this session has left a call that must not run, and nothing can deny it here. Start a new session.";
  private static final Duration TO_SETTLE = Duration.ofMinutes(2);

  /// An agent whose model call was refused gets two seconds to report it before it is stopped.
  private static final Executor LATER = CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS);

  private final Machine machine;
  private final Claim claim;
  private final AgentEntry entry;
  private final SessionFolder folder;
  private final TurnRepositories repositories;
  private final String startFolder;
  private final Path io;
  private final EventFeed feed;
  private final Sandbox sandbox;
  private final Mask mask;
  private final boolean settles;
  private final Optional<HeldCalls> held;
  private final Optional<ToolJudge> judge;
  private final HostJudge hosts;
  private final Transcript transcript;
  private final Optional<ParkedDecision> parkedDecision;
  private final LiveOutput live;
  private final ModelResponses responses;
  private final ModelBudget budget;
  private final ProcessOutput out;
  private final ProcessOutput err;

  /// @param io the turn's own folder
  /// @param permissions of the session
  /// @param mask hides secrets
  /// @param usage collects the agent's usage
  /// @param kept the calls of a turn that has ended, of which the agent is only to hear that they
  ///   do not run; empty: it is given the message
  AgentRun(
      Machine machine,
      Claim claim,
      SessionFolder folder,
      TurnRepositories repositories,
      Path io,
      EventFeed feed,
      TurnPermissions permissions,
      Mask mask,
      TurnUsage usage,
      Optional<KeptCalls> kept)
      throws TurnFailed, IOException, InterruptedException {
    this.machine = machine;
    this.claim = claim;
    this.entry = claim.agent();
    this.folder = folder;
    this.repositories = repositories;
    this.startFolder = repositories.startFolder();
    this.io = io;
    this.feed = feed;
    this.sandbox = machine.sandbox(folder, io, entry);
    this.mask = mask;
    this.settles = kept.isPresent();
    this.held = settles ? Optional.empty() : permissions.held();
    this.judge = settles ? Optional.of(closed(kept.get())) : judge();
    this.hosts = permissions.hosts();
    this.transcript = new Transcript(entry, feed, mask, judge.map(ToolJudge::calls));
    this.parkedDecision = settles ? Optional.empty() : permissions.parkedDecision();
    parkedDecision
        .filter(ParkedDecision::isExact)
        .ifPresent(each -> transcript.resume(each.call()));
    this.live = new LiveOutput(feed, mask);
    this.responses = new ModelResponses(usage, sentence -> feed.note(Event.message(sentence)));
    this.budget = usage.budget();
    this.out = output();
    this.err = new ProcessOutput(0, line -> {}, mask);
  }

  /// Returns the outcome of the turn; empty if the turn was lost while the agent ran.
  ///
  /// @param time the deadline, which holds whatever the agent's own time limit is
  Optional<TurnOutcome> run(TurnLease lease, Deadline time)
      throws TurnFailed, IOException, InterruptedException {
    AgentProcess.Exit exit;
    Optional<HeldCalls.Waiting> undecided;
    try (LiveOutput _ = live;
        SandboxProxies proxies =
            SandboxProxies.of(machine, claim, sandbox, responses, feed, hosts, judge)) {
      exit = exit(command(proxies), lease, time);
      undecided = held.flatMap(HeldCalls::undecided); // before the gate closes
    } finally {
      new MountPoints(folder).remove();
    }
    logUsage();
    if (exit.ending() == AgentProcess.Ending.NOT_LIVE) {
      return Optional.empty();
    }
    ReplyReader replyReader =
        new ReplyReader(entry, out, err, transcript, this::replyFile, responses);
    TurnOutcome outcome =
        unapproved()
            .or(this::waiting)
            .or(() -> held.flatMap(HeldCalls::expired).map(AgentRun::expired))
            .or(() -> budget.refused().map(AgentRun::budgetReached))
            .orElseGet(
                () -> decided(TurnOutcome.of(replyReader, exit, machine.limits()), undecided))
            .masked(mask);
    end(outcome);
    return Optional.of(outcome);
  }

  private ToolJudge closed(KeptCalls kept) throws TurnFailed, IOException, InterruptedException {
    if (entry.gate() == null) {
      throw new TurnFailed(TurnErrorCode.AGENT_NOT_AVAILABLE, CANNOT_SETTLE);
    }
    ToolJudge closed =
        ToolJudge.closed(entry.gate(), workspace(), new KeptCallsConsent(kept), OVER);
    kept.all().forEach(closed.calls()::began);
    return closed;
  }

  private WorkspaceFolder workspace() {
    Path there = Path.of(sandbox.folders().workspace());
    return new WorkspaceFolder(there, there.resolve(startFolder), folder.work());
  }

  /// The judge of its tools, if the session's permissions say anything of tools.
  private Optional<ToolJudge> judge() throws TurnFailed {
    if (held.isEmpty()) {
      return Optional.empty();
    }
    Work.Permissions permissions = claim.permissions().orElseThrow();
    PermissionRules rules = claim.rules();
    if (!rules.judgesTools() && !permissions.questions() && !permissions.plan()) {
      return Optional.empty();
    }
    if (entry.gate() == null) {
      throw new TurnFailed(
          TurnErrorCode.AGENT_NOT_AVAILABLE,
          "The session has permissions, and this agent's tools cannot be judged.");
    }
    if (permissions.plan() && entry.plan() == null) {
      throw new TurnFailed(
          TurnErrorCode.AGENT_NOT_AVAILABLE,
          "The session wants its plans approved, and this agent has no mode in which it only plans.");
    }
    PlanMode planMode = claim.planMode().map(mode -> new PlanMode(mode, planPaths())).orElse(null);
    return Optional.of(
        ToolJudge.of(
            entry.gate(), workspace(), rules, permissions.questions(), held.get(), planMode));
  }

  private PlanPaths planPaths() {
    List<String> repositories =
        Optional.ofNullable(claim.turn().work()).stream()
            .flatMap(work -> work.repositories().stream())
            .map(Work.Repository::path)
            .toList();
    return PlanPaths.of(entry, sandbox.folders(), repositories);
  }

  private static TurnOutcome budgetReached(String why) {
    return TurnOutcome.failed(TurnErrorCode.BUDGET_REACHED, why);
  }

  private static TurnOutcome expired(String why) {
    return TurnOutcome.failed(TurnErrorCode.REQUEST_EXPIRED, why);
  }

  /// The agent has ended without its call, and can go on from there.
  private Optional<TurnOutcome> waiting() {
    boolean isKept =
        entry.gate() != null && (entry.gate().deferral() == null || transcript.isDeferred());
    return held.flatMap(calls ->
        calls
            .waiting()
            .map(call ->
                TurnOutcome.waiting(
                    call.request(), isKept && calls.isHeard(), call.undecided(), call.late())));
  }

  /// An agent that has ended well while a person was asked about its call has not done its work:
  /// codex does so where its model goes on without a program that still waits. It is parked where
  /// it is told to make the call again.
  private TurnOutcome decided(TurnOutcome outcome, Optional<HeldCalls.Waiting> undecided) {
    if (undecided.isEmpty() || !(outcome instanceof TurnOutcome.Completed)) {
      return outcome;
    }
    HeldCalls.Waiting call = undecided.get();
    boolean isReissued = call.parkable() && !requireNonNull(entry.gate()).repeatsExactly();
    return isReissued
        ? TurnOutcome.waiting(call.request(), true, call.undecided(), call.late())
        : TurnOutcome.failed(TurnErrorCode.UNAPPROVED_CALL, call.undecided());
  }

  private Optional<TurnOutcome> unapproved() {
    return judge
        .flatMap(each -> each.calls().bypass())
        .map(tool ->
            TurnOutcome.failed(
                TurnErrorCode.UNAPPROVED_CALL,
                "A call of %s has run that the session's permissions had not allowed: the agent got around its hook."
                    .formatted(tool)));
  }

  private void logUsage() {
    TurnUsage.Sum used = responses.usage().sum();
    if (used.requests() > 0) {
      LOG.info(
          "turn used {} requests={} complete={} {}",
          claim,
          used.requests(),
          used.complete(),
          used.models());
    }
  }

  /// The lines held back are sent only if there is no reply, which would contain them.
  private void end(TurnOutcome outcome) {
    if (outcome instanceof TurnOutcome.Completed(String reply)) {
      transcript.end(reply);
    } else {
      transcript.end(null);
      live.flush();
    }
  }

  private ProcessOutput output() {
    if (entry.printsJsonLines()) {
      return new ProcessOutput(0, transcript::line, mask);
    }
    // One byte more than a reply may have shows that the reply was cut.
    int keep = entry.readsJson() ? Limits.JSON : Limits.REPLY + 1;
    return new ProcessOutput(keep, entry.showsOutput() ? live : line -> {}, mask);
  }

  private AgentProcess.Exit exit(ProcessBuilder command, TurnLease lease, Deadline time)
      throws IOException, InterruptedException {
    AgentProcess process = AgentProcess.start(command, sandbox, out, err, machine.limits());
    process.onExit(live::close);
    lease.onLost(() -> process.stop(AgentProcess.Ending.NOT_LIVE));
    budget.onRefused(() -> LATER.execute(() -> process.stop(AgentProcess.Ending.MODEL_LIMIT)));
    judge.ifPresent(
        each -> each.calls().onBypass(() -> process.stop(AgentProcess.Ending.UNAPPROVED_CALL)));
    held.ifPresent(each -> each.onStop(() -> process.stop(AgentProcess.Ending.REQUEST_EXPIRED)));
    Duration most = time.atMost(timeLimit());
    Optional<Duration> timeBudget = budget.time().filter(own -> own.compareTo(most) < 0);
    LongSupplier nanosLeft = time.nanosLeft(budget.clock(), timeBudget.orElse(most));
    try (DiskWatch _ = new DiskWatch(folder, machine.limits(), process)) {
      AgentProcess.Exit exit = process.await(nanosLeft, entry.interrupt());
      if (timeBudget.isPresent() && exit.ending() == AgentProcess.Ending.TIME_LIMIT) {
        budget.outOfTime();
      }
      return exit;
    }
  }

  private ProcessBuilder command(SandboxProxies proxies) throws TurnFailed, IOException {
    AgentEnvironment environment =
        new AgentEnvironment(claim, sandbox, proxies, settles, machine.environment());
    List<String> words = environment.command(resumes());
    machine.require(words.getFirst());
    Map<String, String> variables = environment.variables();
    ClientVariables clientVariables = environment.clientVariables();
    ProcessBuilder command =
        sandbox.command(
            new SandboxCommand(
                clientVariables.words(words),
                machine.network(entry),
                portForwards(proxies),
                environment.gateFiles(),
                hiddenSettings(),
                startFolder,
                SandboxCommand.Workspace.WRITE));
    command.environment().clear();
    command.environment().putAll(variables);
    command.environment().putAll(clientVariables.environment());
    command.environment().putAll(repositories.variables());
    return command.redirectInput(stdin());
  }

  private List<String> hiddenSettings() throws TurnFailed {
    if (judge.isEmpty() || claim.permissions().isEmpty()) {
      return List.of(); // what stands there may run in this session
    }
    List<String> names = requireNonNull(entry.gate()).hides();
    return new HiddenSettings(folder, startFolder, sandbox.hides()).of(names);
  }

  private List<PortForward> portForwards(SandboxProxies proxies) {
    return Stream.concat(proxies.portForwards().stream(), repositories.portForwards().stream())
        .toList();
  }

  /// An agent that goes on with a call that it has kept gets no message.
  private File stdin() {
    boolean isTold = entry.stdin() == AgentEntry.Stdin.MESSAGE && !settles;
    return isTold && parkedDecision.filter(ParkedDecision::isExact).isEmpty()
        ? folder.stdin().toFile()
        : ScriptRunner.NOTHING.toFile();
  }

  private boolean resumes() throws IOException {
    AgentEntry.Resume resume = entry.resume();
    return resume != null
        && new UntrustedFolder(folder.home()).has(Globs.belowHome(List.of(resume.when())));
  }

  private Duration timeLimit() {
    Duration remaining = claim.timeLeft(machine.clock(), budget.clock().held());
    Duration own = settles ? TO_SETTLE : entry.timeLimit();
    return remaining.compareTo(own) < 0 ? remaining : own;
  }

  private Optional<String> replyFile() {
    try (InputStream file = new UntrustedFolder(io).read(Path.of("reply.txt"))) {
      byte[] bytes = file.readNBytes(Limits.REPLY + 1);
      String text = new String(bytes, StandardCharsets.UTF_8);
      return Optional.of(bytes.length > Limits.REPLY ? mask.beginning(text) : text);
    } catch (IOException none) {
      return Optional.empty();
    }
  }
}
