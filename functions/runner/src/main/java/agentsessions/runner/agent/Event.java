package agentsessions.runner.agent;

import com.fasterxml.jackson.annotation.JsonProperty;

/// An entry of the live transcript: a message of the agent, or the start or end of a tool call.
///
/// @param text the message; for a tool call the JSON text of one of its two rows
public record Event(Type type, String text) {

  public enum Type {
    @JsonProperty("message")
    MESSAGE,
    @JsonProperty("tool_call")
    TOOL_CALL
  }

  public Event masked(Mask mask) {
    return new Event(type, mask.text(text));
  }

  public static Event message(String text) {
    return new Event(Type.MESSAGE, text);
  }
}
