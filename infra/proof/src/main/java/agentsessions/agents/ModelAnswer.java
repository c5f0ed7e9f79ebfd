package agentsessions.agents;

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
      return tool.words() ? List.of("bash", "-c", command) : command;
    }
  }

  record Refusal(int status) implements ModelAnswer {
    String reason() {
      return "the model refused with " + status;
    }
  }
}
