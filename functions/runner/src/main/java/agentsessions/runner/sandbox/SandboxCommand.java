package agentsessions.runner.sandbox;

import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.network.connection.PortForward;
import java.util.List;
import java.util.Map;

/// A command to run in a sandbox, with its network access and working directory.
///
/// @param words the command
/// @param portForwards port forwards out of the sandbox, beside its network
/// @param files content of files that the agent cannot change, by absolute path in the sandbox;
///   they can be run
/// @param hidden places that are empty and read-only for the command, by absolute path in the
///   sandbox, with a slash at the end where a folder is to be if there is nothing
/// @param folder the working directory, relative to the workspace; empty: the workspace
/// @param isLook whether the workspace is read-only for the command, and HOME is not there
public record SandboxCommand(
    List<String> words,
    NetworkAccess network,
    List<PortForward> portForwards,
    Map<String, String> files,
    List<String> hidden,
    String folder,
    boolean isLook) {

  /// A command without files of its own.
  public SandboxCommand(
      List<String> words, NetworkAccess network, List<PortForward> portForwards, String folder) {
    this(words, network, portForwards, Map.of(), List.of(), folder, false);
  }

  /// A command without a network that starts in the workspace.
  public static SandboxCommand of(List<String> words) {
    return new SandboxCommand(words, NetworkAccess.NONE, List.of(), "");
  }

  /// The same, which only looks at the workspace.
  public SandboxCommand looking() {
    return new SandboxCommand(words, network, portForwards, files, hidden, folder, true);
  }

  String folder(AgentFolders folders) {
    return folder.isEmpty() ? folders.workspace() : folders.workspace() + "/" + folder;
  }
}
