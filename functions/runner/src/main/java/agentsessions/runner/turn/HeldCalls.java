package agentsessions.runner.turn;

import static java.util.Objects.requireNonNullElse;

import agentsessions.rule.Question;
import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.agent.tool.AgentQuestions;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.PendingVerdict;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.agent.tool.ToolConsent;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.capture.Digest;
import agentsessions.runner.control.CallRefused;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.usage.TurnClock;
import agentsessions.wire.RunnerMessages.DecisionRequest;
import agentsessions.wire.RunnerMessages.DecisionState;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tool calls and connections of one turn that wait for a person's decision: the service is
/// asked about one at a time, and the others wait in line. The turn's clock stands still meanwhile.
///
/// Nothing but a decision is consent: what can have none is denied. A call that expires ends the
/// turn, a connection does not. So does either of which nothing is heard, since the service may
/// hold the turn for it.
final class HeldCalls implements ToolConsent {
  private static final Logger LOG = LoggerFactory.getLogger(HeldCalls.class);

  /// The most calls that wait at once, which bounds the memory.
  private static final int MOST = 16;

  private static final int TITLE = 200;
  private static final int NAME = 200;
  private static final int ID = 100;
  private static final String CONNECT = "connect";
  private static final String PENDING = "pending";
  private static final String EXPIRED = "expired";
  private static final String UNHEARD = "No decision could be had from a person.";

  private final ServiceClient service;
  private final Claim claim;
  private final Duration hold;
  private final Mask mask;
  private final Consumer<Event> events;
  private final TurnClock clock;
  private final Semaphore places = new Semaphore(MOST);
  private final Semaphore line = new Semaphore(1, true);
  private final Map<String, Integer> asked = new HashMap<>();
  private final CompletableFuture<String> expired = new CompletableFuture<>();
  private final CompletableFuture<Void> answered = new CompletableFuture<>();

  /// @param hold how long one waits
  /// @param mask hides secrets
  /// @param events told of what nobody is asked about
  /// @param clock stopped while one waits
  HeldCalls(
      ServiceClient service,
      Claim claim,
      Duration hold,
      Mask mask,
      Consumer<Event> events,
      TurnClock clock) {
    this.service = service;
    this.claim = claim;
    this.hold = hold;
    this.mask = mask;
    this.events = events;
    this.clock = clock;
  }

  /// The sentence that says which call nobody has decided upon, once there is one.
  Optional<String> expired() {
    return Optional.ofNullable(expired.getNow(null));
  }

  /// Runs an action when a call has expired and its hook has heard that.
  void onExpired(Runnable action) {
    CompletableFuture<Void> _ = answered.thenRun(action);
  }

  @Override
  public void answered() {
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
    String title = tool(call) + " " + input;
    DecisionRequest request = request(kind, kind, call, canonical, title, input, null);
    return () -> inLine(request, _ -> Verdict.ALLOWED);
  }

  @Override
  public PendingVerdict answers(AgentToolCall call) {
    String canonical = call.canonicalInput();
    if (Utf8.exceeds(canonical, Question.MOST_INPUT)) {
      return () -> Verdict.denied("A person has to answer it, and it is too large to be shown.");
    }
    AgentQuestions asked = AgentQuestions.of(call.input(), mask::text);
    List<Question> questions = asked.questions();
    String title = questions.getFirst().text();
    String input = mask.json(call.input()).toString();
    DecisionRequest request =
        request("other", "question", call, canonical, title, input, questions);
    return () ->
        inLine(
            request,
            state -> Verdict.denied(asked.answered(requireNonNullElse(state.answers(), Map.of()))));
  }

  /// Asks whether a host may be connected to.
  ///
  /// @param name in lower case
  Verdict host(String name, int port) throws InterruptedException {
    ObjectNode input = Json.MAPPER.createObjectNode().put("host", name).put("port", port);
    AgentToolCall call = new AgentToolCall("", CONNECT, input);
    String title = CONNECT + " " + mask.text(HostRule.text(name, port));
    DecisionRequest request =
        request(
            PermissionRules.HOST,
            PermissionRules.HOST,
            call,
            call.canonicalInput(),
            title,
            mask.json(input).toString(),
            null);
    try {
      return inLine(request, _ -> Verdict.ALLOWED);
    } finally {
      answered();
    }
  }

  private DecisionRequest request(
      String kind,
      String about,
      AgentToolCall call,
      String canonical,
      String title,
      String input,
      @Nullable List<Question> questions) {
    String fingerprint = sha256(about + "\n" + call.name() + "\n" + canonical);
    String name = name(call.id(), fingerprint);
    return new DecisionRequest(
        name, tool(call), kind, title(title), input, fingerprint, questions, null);
  }

  private String tool(AgentToolCall call) {
    return Utf8.clip(mask.text(call.name()), NAME);
  }

  /// Names a call by its id, or by what is asked, and by how often that was asked: an agent that
  /// uses an id again gets no second call allowed by it.
  private synchronized String name(String id, String fingerprint) {
    String base = id.isEmpty() || id.length() > ID ? fingerprint : id;
    return base + "#" + asked.merge(base, 1, Integer::sum);
  }

  private static String title(String text) {
    return Utf8.exceeds(text, TITLE) ? Utf8.clip(text, TITLE) + "…" : text;
  }

  private static String sha256(String text) {
    try {
      return Digest.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// @param allowed the verdict that an allowing decision makes
  private Verdict inLine(DecisionRequest request, Function<DecisionState, Verdict> allowed)
      throws InterruptedException {
    if (!places.tryAcquire()) {
      return Verdict.denied("Too many calls wait for a person's decision.");
    }
    try {
      line.acquire();
      try {
        return expired().map(Verdict::denied).orElseGet(() -> held(request, allowed));
      } finally {
        line.release();
      }
    } finally {
      places.release();
    }
  }

  private Verdict held(DecisionRequest request, Function<DecisionState, Verdict> allowed) {
    clock.hold();
    try {
      DecisionState state = decided(request);
      return isAllowed(state) ? allowed.apply(state) : refused(request, state);
    } catch (IOException failed) {
      LOG.info("no decision {}: {}", claim, failed.getMessage());
      return isOver(failed) ? Verdict.denied(UNHEARD) : expired(request);
    } finally {
      clock.resume();
    }
  }

  private Verdict refused(DecisionRequest request, DecisionState state) {
    if (EXPIRED.equals(state.status())) {
      return isHost(request)
          ? Verdict.denied("Nobody decided within %d s.".formatted(hold.toSeconds()))
          : expired(request);
    }
    return Verdict.denied(isDenied(state) ? denial(request, state.note()) : UNHEARD);
  }

  private Verdict expired(DecisionRequest request) {
    expired.complete(
        asks(request)
            ? "Nobody answered within %d s.".formatted(hold.toSeconds())
            : "Nobody decided within %d s whether this call of %s may run."
                .formatted(hold.toSeconds(), request.tool()));
    return Verdict.denied(expired.join());
  }

  private static boolean isHost(DecisionRequest request) {
    return PermissionRules.HOST.equals(request.kind());
  }

  private static boolean asks(DecisionRequest request) {
    return request.questions() != null;
  }

  private static String denial(DecisionRequest request, @Nullable String note) {
    boolean isSilent = note == null || note.isBlank();
    if (asks(request)) {
      return "Nobody answers%s State the assumption that you make, and go on."
          .formatted(isSilent ? "." : ": " + note + ".");
    }
    String what = isHost(request) ? "it" : "this call";
    return isSilent ? "A person has denied %s.".formatted(what) : "Denied: " + note;
  }

  /// Asks, and waits until it is decided or expired. What is denied at once no request shows. (The
  /// proxy says so of connections.)
  private DecisionState decided(DecisionRequest request) throws IOException {
    DecisionState first = service.decision(request, hold);
    if (isDenied(first) && !isHost(request)) {
      events.accept(Event.message(denial(request, first.note())));
    }
    return awaited(first);
  }

  private DecisionState awaited(DecisionState first) throws IOException {
    Duration pause = Duration.ofMillis(claim.turn().checkMillis());
    Deadline end = Deadline.of(hold);
    DecisionState state = first;
    while (PENDING.equals(state.status())) {
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

  private static boolean isAllowed(DecisionState state) {
    return "decided".equals(state.status())
        && List.of("allow", "allow_session").contains(requireNonNullElse(state.decision(), ""));
  }

  private static boolean isDenied(DecisionState state) {
    return "decided".equals(state.status()) && "deny".equals(state.decision());
  }
}
