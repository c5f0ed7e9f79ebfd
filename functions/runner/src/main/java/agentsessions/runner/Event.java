package agentsessions.runner;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Something an agent said or did while it works, for the live transcript.
///
/// @param text what was said; for a tool call the JSON text `{"name": …, "input": …}`
record Event(Type type, String text) {

  enum Type {
    @JsonProperty("message")
    MESSAGE,
    @JsonProperty("tool_call")
    TOOL_CALL
  }

  static Event message(String text) {
    return new Event(Type.MESSAGE, text);
  }
}
