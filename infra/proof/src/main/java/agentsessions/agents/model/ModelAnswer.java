package agentsessions.agents.model;

import java.util.List;

/// An answer of the scripted model: a text, a tool call or a refusal.
sealed interface ModelAnswer {
  /// A text, which ends the agent's turn.
  record Text(String text) implements ModelAnswer {}

  /// A call of a shell tool.
  ///
  /// @param say text before the call; may be empty
  record Call(String say, ModelRequest.Tool tool, String command) implements ModelAnswer {
    /// The command in the form that the tool takes: a string, or a list of words.
    Object argument() {
      return tool.form() == ModelRequest.Form.WORDS ? List.of("bash", "-c", command) : command;
    }
  }

  /// An error, which each vendor writes in its own form.
  record Refusal(int status, String reason) implements ModelAnswer {
    static Refusal of(int status) {
      return new Refusal(status, "the model refused with " + status);
    }
  }
}
