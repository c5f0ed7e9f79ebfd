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
/// @param workspace what the command may do with the workspace, where there is a sandbox
public record SandboxCommand(
    List<String> words,
    NetworkAccess network,
    List<PortForward> portForwards,
    Map<String, String> files,
    List<String> hidden,
    String folder,
    Workspace workspace) {

  /// What a command may do with the workspace. HOME is there only where it may write.
  public enum Workspace {
    WRITE,
    READ,
    NONE
  }

  /// A command without files of its own.
  public SandboxCommand(
      List<String> words, NetworkAccess network, List<PortForward> portForwards, String folder) {
    this(words, network, portForwards, Map.of(), List.of(), folder, Workspace.WRITE);
  }

  /// A command without a network that starts in the workspace.
  public static SandboxCommand of(List<String> words) {
    return new SandboxCommand(words, NetworkAccess.NONE, List.of(), "");
  }

  public SandboxCommand with(Workspace access) {
    return new SandboxCommand(words, network, portForwards, files, hidden, folder, access);
  }

  String folder(AgentFolders folders) {
    return folder.isEmpty() ? folders.workspace() : folders.workspace() + "/" + folder;
  }
}
