package agentsessions.runner.agent;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Something an agent said or did while it works, for the live transcript.
///
/// @param text what was said; for a tool call the JSON text `{"name": …, "input": …}`
public record Event(Type type, String text) {

  public enum Type {
    @JsonProperty("message")
    MESSAGE,
    @JsonProperty("tool_call")
    TOOL_CALL
  }

  public static Event message(String text) {
    return new Event(Type.MESSAGE, text);
  }
}
