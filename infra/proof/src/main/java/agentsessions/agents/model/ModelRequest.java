package agentsessions.agents.model;

import java.util.List;
import java.util.Map;

/// An agent's request to its model, the same for all protocols.
///
/// @param items the conversation so far, oldest first
/// @param tools the shell tools that the model may call
record ModelRequest(List<Item> items, List<Tool> tools) {

  enum Role {
    USER,
    MODEL,
    TOOL
  }

  record Item(Role role, String text) {}

  /// The form in which a tool takes a shell command: as a text, as a list of words, or inside a
  /// program that the tool runs.
  enum Form {
    TEXT,
    WORDS,
    PROGRAM
  }

  /// A shell tool.
  ///
  /// @param argument the tool's argument that takes the command
  record Tool(String name, String argument, Form form) {
    /// A command as the input of this tool.
    Object input(String command) {
      return switch (form) {
        case TEXT -> Map.of(argument, command, "description", "x");
        case WORDS -> Map.of(argument, List.of("bash", "-c", command), "description", "x");
        case PROGRAM -> program("exec_command", ModelJson.text(Map.of("cmd", command)));
      };
    }

    /// A program that calls another tool.
    static String program(String name, String arguments) {
      return "text(await tools.%s(%s));".formatted(name, arguments);
    }
  }
}
