package agentsessions.runner.agent.tool;

/// A person's consent to tool calls, for which a session's permissions ask, and answers to an
/// agent's questions.
public interface ToolConsent {
  /// Prepares the question whether a call may run. Keeps nothing of the call but what is asked.
  ///
  /// @param kind what the call does, for which it must be asked
  /// @throws IllegalArgumentException if the call's input cannot be read
  PendingVerdict question(String kind, AgentToolCall call);

  /// Prepares the questions that a call asks.
  ///
  /// @throws IllegalArgumentException if they cannot be read
  PendingVerdict answers(AgentToolCall call);

  /// Notes a verdict before the agent hears it.
  ///
  /// @return whether that could be done; else the agent hears a denial instead
  boolean notes(AgentToolCall call, Verdict verdict);

  /// Notes what has become of a verdict.
  ///
  /// @param heard whether its hook was there to hear it
  void answered(Verdict verdict, boolean heard);
}
