package agentsessions.runner.turn.call;

import static java.util.Objects.requireNonNullElse;

import agentsessions.rule.Question;
import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.agent.tool.AgentQuestions;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.PendingVerdict;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.agent.tool.ToolConsent;
import agentsessions.runner.agent.tool.ToolGateEntry;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.control.CallRefused;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.usage.ModelPause;
import agentsessions.runner.usage.TurnClock;
import agentsessions.wire.RunnerMessages.DecisionRequest;
import agentsessions.wire.RunnerMessages.DecisionState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tool calls and connections of one turn that wait for a person's decision: the service is
/// asked about one at a time, and the others wait in line. The turn's clock stands still meanwhile.
///
/// Nothing but a decision is consent: what can have none is denied. A call for which the turn can
/// be parked waits on once this agent has ended. Any other that expires ends the turn, a connection
/// does not. So does either of which nothing is heard, since the service may hold the turn for it.
public final class HeldCalls implements ToolConsent {
  private static final Logger LOG = LoggerFactory.getLogger(HeldCalls.class);

  /// The most calls that wait at once, which bounds the memory.
  private static final int MOST = 16;

  /// More than it may take to tell a hook.
  private static final Duration TO_HEAR = Duration.ofSeconds(15);

  private static final String PENDING = "pending";
  private static final String EXPIRED = "expired";
  private static final String LATER =
      "A person decides on this call later, and you are told then. Stop here.";
  private static final String ANOTHER =
      "Another call waits for a person's decision. Make this one again later.";
  private static final String UNHEARD = "No decision could be had from a person.";

  private final ServiceClient service;
  private final Claim claim;
  private final Duration hold;
  private final Deadline last;
  private final Mask mask;
  private final CallRequests requests;
  private final Optional<ParkedDecision> parkedDecision;
  private final Consumer<Event> events;
  private final TurnClock clock;
  private final ModelPause pause;
  private final KeptCalls keptCalls;
  private final Semaphore places = new Semaphore(MOST);
  private final Semaphore line = new Semaphore(1, true);
  private final CompletableFuture<String> expired = new CompletableFuture<>();
  private final CompletableFuture<Waiting> waiting = new CompletableFuture<>();
  private final CompletableFuture<Void> answered = new CompletableFuture<>();
  private final CompletableFuture<Boolean> heard = new CompletableFuture<>();
  private volatile @Nullable Waiting undecided;

  /// A call that nobody has decided upon while the agent waited, and that waits on.
  ///
  /// @param request the id of its request
  /// @param undecided the sentence that says so, for where the turn cannot be parked
  /// @param late the sentence for where it cannot, and a person has decided meanwhile
  /// @param verdict the one by which the agent ends
  /// @param parkable whether the turn can be parked for it
  public record Waiting(
      String request, String undecided, String late, Verdict verdict, boolean parkable) {}

  /// @param parkedDecision the decision for which the turn was parked, if it was
  /// @param hold how long one waits
  /// @param last when no call waits any more, however short it did
  /// @param mask hides secrets
  /// @param events told of what nobody is asked about
  /// @param clock stopped while one waits
  /// @param pause of the model, while calls wait
  /// @param keptCalls told of what the agent is to keep
  public HeldCalls(
      ServiceClient service,
      Claim claim,
      Optional<ParkedDecision> parkedDecision,
      Duration hold,
      Deadline last,
      Mask mask,
      Consumer<Event> events,
      TurnClock clock,
      ModelPause pause,
      KeptCalls keptCalls) {
    this.service = service;
    this.claim = claim;
    this.hold = hold;
    this.last = last;
    this.mask = mask;
    this.requests = new CallRequests(claim, mask);
    this.parkedDecision = parkedDecision;
    this.events = events;
    this.clock = clock;
    this.pause = pause;
    this.keptCalls = keptCalls;
  }

  /// The sentence that says which call nobody has decided upon, once there is one.
  public Optional<String> expired() {
    return Optional.ofNullable(expired.getNow(null));
  }

  /// The call that waits on, once there is one.
  public Optional<Waiting> waiting() {
    return Optional.ofNullable(waiting.getNow(null));
  }

  /// The call on which nobody has decided yet, at this moment: the service holds the turn for it.
  /// An agent may end all the same, its hook or not.
  public Optional<Waiting> undecided() {
    return Optional.ofNullable(undecided);
  }

  /// Whether the hook of that call was there to hear that it waits on: an agent that has lost its
  /// hook may have made the call. One that has heard may end before this is known.
  public boolean isHeard() {
    return heard.completeOnTimeout(false, TO_HEAR.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  /// Runs an action when the agent is to be stopped: a call has expired, or waits on and is not
  /// kept by an agent that ends by itself. The hook has heard that.
  public void onStop(Runnable action) {
    CompletableFuture<Void> _ = answered.thenRun(action);
  }

  /// An agent that cannot be told to keep its call hears a denial, and is stopped.
  @Override
  public boolean notes(AgentToolCall call, Verdict verdict) {
    boolean noted = keptCalls.notes(call, verdict);
    if (!noted) {
      this.heard.complete(false);
      answered.complete(null);
    }
    return noted;
  }

  @Override
  public void answered(Verdict verdict, boolean heard) {
    keptCalls.answered(verdict, heard);
    boolean waits = waiting().filter(call -> call.verdict().equals(verdict)).isPresent();
    if (waits) {
      this.heard.complete(heard);
    }
    if (waits && !(heard && verdict.kind() == Verdict.Kind.DEFERRED)) {
      answered.complete(null);
    }
    stopIfExpired();
  }

  private void stopIfExpired() {
    if (expired.isDone()) {
      answered.complete(null);
    }
  }

  @Override
  public PendingVerdict question(String kind, AgentToolCall call) {
    String canonical = call.canonicalInput();
    String input = call.input().isMissingNode() ? "null" : mask.json(call.input()).toString();
    if (Utf8.exceeds(canonical, DecisionRequest.MOST_INPUT)
        || Utf8.exceeds(input, DecisionRequest.MOST_INPUT)) {
      return () -> Verdict.denied("A person has to decide on it, and it is too large to be shown.");
    }
    DecisionRequest request = requests.permission(kind, call, canonical, input);
    return () -> inPause(request, _ -> Verdict.ALLOWED);
  }

  @Override
  public PendingVerdict answers(AgentToolCall call) {
    String canonical = call.canonicalInput();
    if (Utf8.exceeds(canonical, Question.MOST_INPUT)) {
      return () -> Verdict.denied("A person has to answer it, and it is too large to be shown.");
    }
    AgentQuestions asked = AgentQuestions.of(call.input(), mask::text);
    List<Question> questions = asked.questions();
    String input = mask.json(call.input()).toString();
    DecisionRequest request = requests.answers(call, canonical, input, questions);
    return () ->
        inPause(
            request,
            state -> Verdict.denied(asked.answered(requireNonNullElse(state.answers(), Map.of()))));
  }

  /// Asks whether a host may be connected to.
  ///
  /// @param name in lower case
  public Verdict host(String name, int port) throws InterruptedException {
    DecisionRequest request = requests.host(name, port);
    try {
      return inLine(request, _ -> Verdict.ALLOWED);
    } finally {
      stopIfExpired();
    }
  }

  /// Asks in line, and keeps the model from being asked meanwhile, and afterwards too if the agent
  /// is to end. A connection is no call, so it comes past this: its program may do without it.
  private Verdict inPause(DecisionRequest request, Function<DecisionState, Verdict> allowed)
      throws InterruptedException {
    pause.begin();
    try {
      return inLine(request, allowed);
    } finally {
      if (over().isEmpty()) {
        pause.end();
      }
    }
  }

  /// @param allowed the verdict that an allowing decision makes
  private Verdict inLine(DecisionRequest request, Function<DecisionState, Verdict> allowed)
      throws InterruptedException {
    Optional<DecisionState> decided = parkedDecision.flatMap(decision -> decision.taken(request));
    if (decided.isPresent()) {
      return verdict(request, decided.get(), allowed);
    }
    if (!places.tryAcquire()) {
      return Verdict.denied("Too many calls wait for a person's decision.");
    }
    try {
      line.acquire();
      try {
        return over().map(Verdict::denied).orElseGet(() -> held(request, allowed));
      } finally {
        line.release();
      }
    } finally {
      places.release();
    }
  }

  /// Why nobody is asked any more, if it is so.
  private Optional<String> over() {
    return expired().or(() -> waiting().map(_ -> ANOTHER));
  }

  private Verdict held(DecisionRequest request, Function<DecisionState, Verdict> allowed) {
    clock.hold();
    try {
      DecisionState state = decided(request);
      return verdict(request, state, allowed);
    } catch (IOException failed) {
      LOG.info("no decision {}: {}", claim, failed.getMessage());
      return isOver(failed) ? Verdict.denied(UNHEARD) : expired(request);
    } finally {
      undecided = null;
      clock.resume();
    }
  }

  private Verdict verdict(
      DecisionRequest request, DecisionState state, Function<DecisionState, Verdict> allowed) {
    if (PENDING.equals(state.status())) {
      return waits(request, state.id());
    }
    return isAllowed(state) ? allowed.apply(state) : refused(request, state);
  }

  private Verdict waits(DecisionRequest request, String id) {
    ToolGateEntry gate = claim.agent().gate();
    Verdict verdict =
        gate == null || gate.deferral() == null
            ? Verdict.denied(LATER)
            : Verdict.deferred(gate.deferral().answer());
    waiting.complete(new Waiting(id, undecided(request), late(request), verdict, true));
    return verdict;
  }

  private Verdict refused(DecisionRequest request, DecisionState state) {
    if (EXPIRED.equals(state.status())) {
      return isHost(request)
          ? Verdict.denied("Nobody decided %s.".formatted(inTime()))
          : expired(request);
    }
    return Verdict.denied(isDenied(state) ? denial(request, state.note()) : UNHEARD);
  }

  private Verdict expired(DecisionRequest request) {
    expired.complete(undecided(request));
    return Verdict.denied(expired.join());
  }

  private String undecided(DecisionRequest request) {
    return asks(request)
        ? "Nobody answered %s.".formatted(inTime())
        : "Nobody decided %s whether this call of %s may run.".formatted(inTime(), request.tool());
  }

  /// The call of an agent that ends before its hook has heard anything.
  private static Waiting abandoned(DecisionRequest request, String id, boolean parkable) {
    String why =
        asks(request)
            ? "The agent ended before anybody answered it."
            : "The agent ended before anybody decided whether this call of %s may run."
                .formatted(request.tool());
    return new Waiting(id, why, late(request), Verdict.denied(LATER), parkable);
  }

  private static String late(DecisionRequest request) {
    return asks(request)
        ? "The answer came when the agent no longer waited, and the turn could not go on."
        : "The decision on this call of %s came when its agent no longer waited, and the turn could not go on."
            .formatted(request.tool());
  }

  private String inTime() {
    return last.isUp() ? "while its runner could wait" : "within %d s".formatted(hold.toSeconds());
  }

  private static boolean isHost(DecisionRequest request) {
    return PermissionRules.HOST.equals(request.kind());
  }

  private static boolean asks(DecisionRequest request) {
    return request.questions() != null;
  }

  private static String denial(DecisionRequest request, @Nullable String note) {
    return denial(asks(request), isHost(request), requireNonNullElse(note, ""));
  }

  /// What an agent is told whose call a person has denied.
  ///
  /// @param asks whether it was a question
  static String denial(boolean asks, boolean host, String note) {
    if (asks) {
      return "Nobody answers%s State the assumption that you make, and go on."
          .formatted(note.isBlank() ? "." : ": " + note + ".");
    }
    String what = host ? "it" : "this call";
    return note.isBlank() ? "A person has denied %s.".formatted(what) : "Denied: " + note;
  }

  /// Asks, and waits until it is decided or expired. What is denied at once no request shows. (The
  /// proxy says so of connections.)
  private DecisionState decided(DecisionRequest request) throws IOException {
    // The service may hold the turn although its answer is lost.
    undecided = isHost(request) ? null : abandoned(request, "", false);
    DecisionState first = service.decision(request, last.atMost(hold));
    if (isDenied(first) && !isHost(request)) {
      events.accept(Event.message(denial(request, first.note())));
    }
    boolean parkable = Boolean.TRUE.equals(request.parkable());
    if (!isHost(request)) {
      undecided = abandoned(request, first.id(), parkable);
    }
    return awaited(first, parkable);
  }

  /// @param parkable whether what nobody has decided stays pending
  private DecisionState awaited(DecisionState first, boolean parkable) throws IOException {
    Duration pause = Duration.ofMillis(claim.turn().checkMillis());
    Deadline end = Deadline.of(last.atMost(hold));
    DecisionState state = first;
    while (PENDING.equals(state.status()) && !(parkable && end.isUp())) {
      Deadline next = Deadline.of(pause);
      state = end.isUp() ? service.expire(first.id()) : polled(first, end);
      if (PENDING.equals(state.status()) && !next.isUp()) {
        Pause.millis(next.remaining().toMillis());
      }
    }
    return state;
  }

  /// A failure that may pass is no decision yet.
  private DecisionState polled(DecisionState pending, Deadline end) throws IOException {
    Duration wait = Duration.ofSeconds(claim.turn().waitSeconds());
    try {
      return service.decision(pending.id(), end.atMost(wait));
    } catch (IOException unheard) {
      if (isOver(unheard)) {
        throw unheard;
      }
      return pending;
    }
  }

  /// Whether there is nothing to wait for: the request was refused, or the agent is being stopped.
  private static boolean isOver(IOException failed) {
    boolean isRefused = failed instanceof CallRefused refused && refused.isFinal();
    return isRefused || Thread.currentThread().isInterrupted();
  }

  /// Whether a person has decided, in whatever way.
  public static boolean isDecided(DecisionState state) {
    return "decided".equals(state.status());
  }

  private static boolean isAllowed(DecisionState state) {
    return isDecided(state)
        && List.of("allow", "allow_session").contains(requireNonNullElse(state.decision(), ""));
  }

  private static boolean isDenied(DecisionState state) {
    return isDecided(state) && "deny".equals(state.decision());
  }
}
