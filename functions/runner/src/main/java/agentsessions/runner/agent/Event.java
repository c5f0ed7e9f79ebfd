package agentsessions.runner.agent;

import agentsessions.wire.RunnerMessages;

/// An entry of the live transcript: a message of the agent, or the start or end of a tool call.
///
/// @param type the type in the runner protocol: `message` or `tool_call`
/// @param text the text of a message, or the JSON text of one of a tool call's two rows
public record Event(String type, String text) {

  public Event masked(Mask mask) {
    return new Event(type, mask.text(text));
  }

  public static Event message(String text) {
    return new Event(RunnerMessages.Event.MESSAGE, text);
  }

  static Event toolCall(String row) {
    return new Event(RunnerMessages.Event.TOOL_CALL, row);
  }
}
