package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.JudgedCalls;
import agentsessions.runner.agent.tool.ToolGateEntry;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The transcript of an agent that prints JSON Lines, read by the rules of its entry: events as
/// they come, and the last texts that match the reply and the error rule.
///
/// The latest message is held back until something follows it, because the last one is often the
/// reply itself, which would then be shown twice.
public final class Transcript {
  private static final int LARGE = 64 * 1024;

  private final AgentEntry entry;
  private final Consumer<Event> events;
  private final Mask mask;
  private final ToolCalls calls;
  private final Optional<JudgedCalls> judged;
  private final StringBuilder pieces = new StringBuilder();
  private @Nullable String held;
  private @Nullable String lastMessage;
  private @Nullable String reply;
  private @Nullable String error;
  private int unread;
  private boolean deferred;

  /// @param mask hides secrets
  /// @param judged is told of each tool call
  public Transcript(
      AgentEntry entry, Consumer<Event> events, Mask mask, Optional<JudgedCalls> judged) {
    this.entry = entry;
    this.events = events;
    this.mask = mask;
    this.judged = judged;
    this.calls = new ToolCalls(mask);
  }

  /// Notes a call whose start an earlier run of the agent has shown, and whose end this one shows.
  public synchronized void resume(AgentToolCall call) {
    judged.ifPresent(all -> all.began(call));
    calls.resume(call.id(), call.name());
  }

  /// Whether the agent has said that it keeps a call until it is started again.
  public synchronized boolean isDeferred() {
    return deferred;
  }

  /// Large lines of all turns of this process are parsed one after another, because a parsed tree
  /// takes many times the memory of its text.
  public void line(byte[] line) {
    if (line.length > LARGE) {
      synchronized (Transcript.class) {
        readIfJson(line);
      }
    } else {
      readIfJson(line);
    }
  }

  /// Ends the transcript; a held message that equals the reply is left out.
  public synchronized void end(@Nullable String finalReply) {
    joinPieces();
    if (held != null && finalReply != null && held.strip().equals(finalReply.strip())) {
      held = null;
    }
    sendHeld();
    if (unread > 0) {
      events.accept(
          Event.message(
              ("%d lines of the agent's output could not be read: they are not JSON, or larger than"
                      + " what is read.")
                  .formatted(unread)));
    }
  }

  public synchronized Optional<String> reply() {
    if (entry.reply().from() != TextRule.From.MESSAGES) {
      return Optional.ofNullable(reply);
    }
    joinPieces();
    return Optional.ofNullable(lastMessage);
  }

  public synchronized Optional<String> error() {
    return Optional.ofNullable(error);
  }

  private synchronized void readIfJson(byte[] line) {
    Optional<JsonNode> json = Json.ofAgent(line);
    json.ifPresent(this::read);
    if (json.isEmpty() && (line[0] == '{' || line[0] == '[')) {
      unread++;
    }
  }

  private void read(JsonNode line) {
    entry.reply().readLine(line).ifPresent(text -> reply = text);
    if (entry.error() != null) {
      entry.error().readLine(line).ifPresent(text -> error = text);
    }
    deferred |= saysDeferred(line);
    if (!isPiece(line)) {
      joinPieces();
      entry.events().stream().flatMap(rule -> rule.read(line)).forEach(this::take);
    }
  }

  private boolean saysDeferred(JsonNode line) {
    ToolGateEntry gate = entry.gate();
    return gate != null
        && gate.deferral() != null
        && new JsonCondition(gate.deferral().shown()).matches(line);
  }

  private boolean isPiece(JsonNode line) {
    List<String> found =
        entry.events().stream()
            .filter(EventRule::pieces)
            .flatMap(rule -> rule.read(line))
            .flatMap(Transcript::message)
            .toList();
    found.stream()
        .filter(piece -> pieces.length() + piece.length() <= Limits.REPLY)
        .forEach(pieces::append);
    return !found.isEmpty();
  }

  private static Stream<String> message(OutputEvent saying) {
    return saying instanceof OutputEvent.Message(String text) ? Stream.of(text) : Stream.of();
  }

  private void joinPieces() {
    if (!pieces.isEmpty()) {
      say(pieces.toString());
      pieces.setLength(0);
    }
  }

  private void take(OutputEvent saying) {
    switch (saying) {
      case OutputEvent.Message(String text) -> say(text);
      case OutputEvent.Call call -> call(call);
      case OutputEvent.CallEnd end -> {
        judged.ifPresent(all -> end(all, end.id(), end.outcome()));
        calls.row(end).ifPresent(events);
      }
    }
  }

  private void say(String text) {
    if (!text.isBlank()) {
      sendHeld();
      lastMessage = mask.text(text);
      held = lastMessage;
    }
  }

  private void call(OutputEvent.Call call) {
    sendHeld();
    lastMessage = null;
    judged.ifPresent(all -> compare(all, call));
    calls.rows(call).forEach(events);
  }

  private static void compare(JudgedCalls all, OutputEvent.Call call) {
    String id = requireNonNullElse(call.id(), "");
    JsonNode input = requireNonNullElse(call.input(), MissingNode.getInstance());
    all.began(new AgentToolCall(id, call.name(), input));
    call.outcome().ifPresent(outcome -> end(all, id, outcome));
  }

  private static void end(JudgedCalls all, String id, OutputEvent.Outcome outcome) {
    all.ended(id, outcome.failed(), outcome.refused());
  }

  private void sendHeld() {
    if (held != null) {
      events.accept(Event.message(Utf8.clip(held, Limits.MESSAGE)));
      held = null;
    }
  }
}
