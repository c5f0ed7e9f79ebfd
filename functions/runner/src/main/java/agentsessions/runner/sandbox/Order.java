package agentsessions.runner.sandbox;

import agentsessions.runner.agent.Network;
import agentsessions.runner.network.way.Way;
import java.util.List;

/// What is to be run in a sandbox.
///
/// @param words the command
/// @param ways out of it, beside its network, if it has one
/// @param folder where the command starts, relative to the workspace; empty: the workspace
public record Order(List<String> words, Network network, List<Way> ways, String folder) {

  /// A command that starts in the workspace and reaches nothing.
  public static Order of(List<String> words) {
    return new Order(words, Network.NONE, List.of(), "");
  }

  String folder(AgentFolders folders) {
    return folder.isEmpty() ? folders.workspace() : folders.workspace() + "/" + folder;
  }
}
