package agentsessions.runner.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads an agent's JSON lines by the rules of its entry: events as they come, and the last texts
/// that match the reply and the error rule.
///
/// The latest message is held back until something follows it, because the last one is often the
/// reply itself, and a final text is not said twice.
public final class Transcript {
  private final AgentEntry entry;
  private final Consumer<Event> events;
  private final StringBuilder pieces = new StringBuilder();
  private @Nullable Event held;
  private @Nullable String lastMessage;
  private @Nullable String reply;
  private @Nullable String error;

  public Transcript(AgentEntry entry, Consumer<Event> events) {
    this.entry = entry;
    this.events = events;
  }

  public synchronized void line(String line) {
    Json.parse(line).ifPresent(this::read);
  }

  /// Ends the transcript; a held message that is the reply itself is left out.
  public synchronized void end(@Nullable String finalReply) {
    joinPieces();
    if (held != null && (finalReply == null || !held.text().strip().equals(finalReply.strip()))) {
      send(held);
    }
    held = null;
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

  private void read(JsonNode line) {
    entry.reply().readLine(line).ifPresent(text -> reply = text);
    if (entry.error() != null) {
      entry.error().readLine(line).ifPresent(text -> error = text);
    }
    if (!isPiece(line)) {
      joinPieces();
      entry.events().stream().flatMap(rule -> rule.read(line)).forEach(this::take);
    }
  }

  private boolean isPiece(JsonNode line) {
    List<String> found =
        entry.events().stream()
            .filter(EventRule::pieces)
            .flatMap(rule -> rule.read(line))
            .map(Event::text)
            .toList();
    found.stream()
        .filter(piece -> pieces.length() + piece.length() <= Limits.REPLY)
        .forEach(pieces::append);
    return !found.isEmpty();
  }

  private void joinPieces() {
    if (!pieces.isEmpty()) {
      take(Event.message(pieces.toString()));
      pieces.setLength(0);
    }
  }

  private void take(Event event) {
    if (event.text().isBlank()) {
      return;
    }
    if (held != null) {
      send(held);
    }
    boolean message = event.type() == Event.Type.MESSAGE;
    if (message) {
      lastMessage = event.text();
      held = event;
    } else {
      lastMessage = null;
      held = null;
      events.accept(event);
    }
  }

  private void send(Event message) {
    events.accept(Event.message(Utf8.clip(message.text(), Limits.MESSAGE)));
  }
}
