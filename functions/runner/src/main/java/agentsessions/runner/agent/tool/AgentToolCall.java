package agentsessions.runner.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.erdtman.jcs.JsonCanonicalizer;

/// A tool call, as an agent's hook tells of it or as its output shows it.
///
/// @param id the agent's own; empty where it has none
/// @param inner whether it is known to be of an agent that the agent itself has started
public record AgentToolCall(String id, String name, JsonNode input, boolean inner) {
  public AgentToolCall(String id, String name, JsonNode input) {
    this(id, name, input, false);
  }

  /// The input as canonical JSON (RFC 8785): the same text for the same input, however the agent
  /// has written it.
  ///
  /// @throws IllegalArgumentException if it is no I-JSON, so that it has no such text
  public String canonicalInput() {
    try {
      // An array around it, since the canonicalizer takes no plain value.
      String array = new JsonCanonicalizer("[" + input + "]").getEncodedString();
      return array.substring(1, array.length() - 1);
    } catch (IOException invalid) {
      throw new IllegalArgumentException("The call's input could not be read.", invalid);
    }
  }
}
