package agentsessions.runner.turn.call;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.ToolGateEntry;
import agentsessions.runner.control.Claim;
import agentsessions.wire.RunnerMessages.DecisionRequest;
import agentsessions.wire.RunnerMessages.DecisionState;
import agentsessions.wire.Work;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/// The decision on the call for which a turn was parked. It holds for one call of the same kind,
/// tool and input, and is gone with this process: no claim begins a turn twice.
///
/// Why: decision 045.
public final class ParkedDecision {
  private final Work.ParkedCall parked;
  private final boolean exact;
  private final boolean asks;
  private final AtomicBoolean taken = new AtomicBoolean();

  private ParkedDecision(Work.ParkedCall parked, boolean exact, boolean asks) {
    this.parked = parked;
    this.exact = exact;
    this.asks = asks;
  }

  /// That of a claimed turn; empty for one that begins.
  public static Optional<ParkedDecision> of(Claim claim) {
    Optional<ToolGateEntry> gate = Optional.ofNullable(claim.agent().gate());
    return claim
        .parked()
        .map(parked ->
            new ParkedDecision(
                parked,
                gate.filter(ToolGateEntry::repeatsExactly).isPresent(),
                gate.filter(entry -> entry.asks(call(parked))).isPresent()));
  }

  /// The decision, if the request is for that very call and it has not been taken before.
  Optional<DecisionState> taken(DecisionRequest request) {
    return parked.fingerprint().equals(request.fingerprint()) && taken.compareAndSet(false, true)
        ? Optional.of(
            new DecisionState(
                parked.call(), "decided", parked.decision(), parked.note(), parked.answers()))
        : Optional.empty();
  }

  /// Whether the agent makes that very call again by itself, without a message.
  public boolean isExact() {
    return exact;
  }

  /// The call, as far as it is known, for an agent that shows its end without its start.
  public AgentToolCall call() {
    return call(parked);
  }

  private static AgentToolCall call(Work.ParkedCall parked) {
    int end = parked.call().lastIndexOf('#');
    String id = end < 0 ? parked.call() : parked.call().substring(0, end);
    return new AgentToolCall(id, parked.tool(), MissingNode.getInstance());
  }

  /// What the agent is told, which has to make the call anew.
  public String message() {
    String note = parked.note() == null ? "" : parked.note();
    if (!parked.decision().equals("deny")) {
      return asks
          ? "A person has answered what you asked (%s): %s. Go on with that."
              .formatted(quoted(parked.title()), answers())
          : "A person has allowed the call that waited: %s. Make this call again now, with exactly the same input, and go on."
              .formatted(parked.title());
    }
    return "The call that waited, %s: %s%s"
        .formatted(
            parked.title(), HeldCalls.denial(asks, false, note), asks ? "" : " Go on without it.");
  }

  private String answers() {
    Map<String, List<String>> all = parked.answers() == null ? Map.of() : parked.answers();
    return all.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(answer -> answer.getKey() + ": " + quoted(String.join(", ", answer.getValue())))
        .collect(Collectors.joining("; "));
  }

  private static String quoted(String text) {
    return Json.MAPPER.getNodeFactory().textNode(text).toString();
  }
}
