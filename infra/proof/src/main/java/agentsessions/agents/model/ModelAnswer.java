package agentsessions.agents.model;

/// An answer of the scripted model: a text, a tool call or a refusal.
sealed interface ModelAnswer {
  /// A text, which ends the agent's turn.
  record Text(String text) implements ModelAnswer {}

  /// A call of a tool.
  ///
  /// @param say text before the call; may be empty
  /// @param name the tool; of a namespace where it has a dot
  /// @param input its arguments; a text is a program, for a tool that runs one
  record Call(String say, String name, Object input) implements ModelAnswer {}

  /// An error, which each vendor writes in its own form.
  record Refusal(int status, String reason) implements ModelAnswer {
    static Refusal of(int status) {
      return new Refusal(status, "the model refused with " + status);
    }
  }
}
