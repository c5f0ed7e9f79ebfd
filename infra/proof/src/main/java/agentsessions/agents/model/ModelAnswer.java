package agentsessions.agents.model;

import java.util.List;

/// What the scripted model answers.
sealed interface ModelAnswer {
  /// The end of a turn.
  record Text(String text) implements ModelAnswer {}

  /// A call of a shell tool.
  ///
  /// @param say said before the call; may be empty
  record Call(String say, ModelRequest.Tool tool, String command) implements ModelAnswer {
    /// The command as its tool wants it: a string, or a list.
    Object argument() {
      return tool.form() == ModelRequest.Form.WORDS ? List.of("bash", "-c", command) : command;
    }
  }

  /// An error, which each vendor says in its own form.
  record Refusal(int status, String reason) implements ModelAnswer {
    static Refusal of(int status) {
      return new Refusal(status, "the model refused with " + status);
    }
  }
}
