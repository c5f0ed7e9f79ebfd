package agentsessions.runner.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tool calls of one turn as rows of the transcript: one row when a call starts and one with
/// its outcome when it ends. `__name__` repeats `name`, for clients that look for it there.
final class ToolCalls {
  private static final int NAME = 200;
  private static final int OPEN = 1000;

  private final Mask mask;
  private final Map<String, Open> open = new LinkedHashMap<>();
  private int count;

  /// @param mask hides secrets
  ToolCalls(Mask mask) {
    this.mask = mask;
  }

  private record Open(String name, long began) {}

  /// The row of the start; both rows where the agent reports a call only when it has ended.
  List<Event> rows(OutputEvent.Call call) {
    count++;
    String id = call.id() == null ? "call-" + count : Utf8.clip(call.id(), NAME);
    String name = Utf8.clip(mask.text(call.name()), NAME);
    Open begun = new Open(name, System.nanoTime());
    Event start = start(id, name, call.input());
    if (call.outcome().isPresent()) {
      return List.of(start, end(id, begun, call.outcome().get()));
    }
    remember(id, begun);
    return List.of(start);
  }

  /// The row of the end; empty if no such call has started.
  Optional<Event> row(OutputEvent.CallEnd end) {
    String id = Utf8.clip(end.id(), NAME);
    return Optional.ofNullable(open.remove(id)).map(begun -> end(id, begun, end.outcome()));
  }

  /// Notes a call whose start an earlier run of the agent has shown.
  void resume(String id, String name) {
    remember(Utf8.clip(id, NAME), new Open(name, System.nanoTime()));
  }

  private void remember(String id, Open begun) {
    open.put(id, begun);
    if (open.size() > OPEN) {
      open.remove(open.keySet().iterator().next());
    }
  }

  private Event start(String id, String name, @Nullable JsonNode input) {
    ObjectNode row = row(id, name);
    if (input != null) {
      row.set("input", clipped(mask.json(input)));
    }
    return event(row);
  }

  private static Event end(String id, Open begun, OutputEvent.Outcome outcome) {
    long millis = Duration.ofNanos(System.nanoTime() - begun.began()).toMillis();
    return event(
        row(id, begun.name())
            .put("status", outcome.failed() ? "failed" : "ok")
            .put("duration_ms", outcome.millis().orElse(millis)));
  }

  private static JsonNode clipped(JsonNode input) {
    String text = input.toString();
    return Utf8.exceeds(text, Limits.INPUT)
        ? TextNode.valueOf(Utf8.clip(text, Limits.INPUT) + "…")
        : input;
  }

  private static ObjectNode row(String id, String name) {
    return Json.MAPPER.createObjectNode().put("id", id).put("name", name).put("__name__", name);
  }

  private static Event event(ObjectNode row) {
    return Event.toolCall(row.toString());
  }
}
