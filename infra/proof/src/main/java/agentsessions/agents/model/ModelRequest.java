package agentsessions.agents.model;

import java.util.List;

/// What an agent sent to its model, whichever way it said it.
///
/// @param items all that was said and done so far, the oldest first
/// @param tools what the model may call
record ModelRequest(List<Item> items, List<Tool> tools) {

  enum Role {
    USER,
    MODEL,
    TOOL
  }

  record Item(Role role, String text) {}

  /// How a tool wants a shell command: as a text, as a list of words, or in a program that it runs.
  enum Form {
    TEXT,
    WORDS,
    PROGRAM
  }

  /// @param argument of the tool, the one that takes a shell command
  record Tool(String name, String argument, Form form) {}
}
