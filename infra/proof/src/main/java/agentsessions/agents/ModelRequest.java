package agentsessions.agents;

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

  /// @param argument of the tool, the one that takes a shell command
  /// @param words whether it wants the command as a list of words
  record Tool(String name, String argument, boolean words) {}
}
