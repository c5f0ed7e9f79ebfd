package agentsessions.runner.agent.tool;

/// A person's consent to tool calls, for which a session's permissions ask.
public interface ToolConsent {
  /// Prepares the question whether a call may run. Keeps nothing of the call but what is asked.
  ///
  /// @param kind what the call does, for which it must be asked
  /// @throws IllegalArgumentException if the call's input cannot be read
  PendingVerdict question(String kind, AgentToolCall call);

  /// Notes that a hook has heard its verdict.
  void answered();
}
