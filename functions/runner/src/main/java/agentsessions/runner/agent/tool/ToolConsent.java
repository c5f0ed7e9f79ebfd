package agentsessions.runner.agent.tool;

/// A person's consent to tool calls, for which a session's permissions ask, and answers to an
/// agent's questions.
public interface ToolConsent {
  /// That of a run in which nobody is asked.
  ToolConsent NONE =
      new ToolConsent() {
        @Override
        public PendingVerdict question(String kind, AgentToolCall call) {
          return () -> Verdict.denied("Nobody is asked about it.");
        }

        @Override
        public PendingVerdict answers(AgentToolCall call) {
          return question("", call);
        }

        @Override
        public boolean keeps(AgentToolCall call) {
          return false;
        }

        @Override
        public void answered(Verdict verdict, boolean heard) {}
      };

  /// Prepares the question whether a call may run. Keeps nothing of the call but what is asked.
  ///
  /// @param kind what the call does, for which it must be asked
  /// @throws IllegalArgumentException if the call's input cannot be read
  PendingVerdict question(String kind, AgentToolCall call);

  /// Prepares the questions that a call asks.
  ///
  /// @throws IllegalArgumentException if they cannot be read
  PendingVerdict answers(AgentToolCall call);

  /// Notes that an agent is about to be told to keep a call.
  ///
  /// @return whether that could be noted; else it is not told so
  boolean keeps(AgentToolCall call);

  /// Notes what has become of a verdict.
  ///
  /// @param heard whether its hook was there to hear it
  void answered(Verdict verdict, boolean heard);
}
