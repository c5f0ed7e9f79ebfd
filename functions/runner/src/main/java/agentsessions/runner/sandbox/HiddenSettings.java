package agentsessions.runner.sandbox;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.TurnFailed;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The settings in a workspace that an agent must not see where its tools are judged: what they
/// name runs within the agent as it starts, without a call that anybody could judge. They are
/// looked for before the agent starts, while no process of its session runs.
public final class HiddenSettings {
  private HiddenSettings() {}

  /// The paths of the files and folders of settings that there are, relative to the workspace.
  ///
  /// @param names of such files and folders, relative to the start folder and to those above it
  /// @param start the start folder, relative to the workspace; empty: the workspace
  /// @param canHide whether the sandbox can hide them
  /// @throws TurnFailed if one cannot be hidden
  public static List<String> of(List<String> names, Path workspace, String start, boolean canHide)
      throws TurnFailed {
    List<String> found = new ArrayList<>();
    if (!names.isEmpty()) {
      for (Path folder : foldersDownTo(start)) {
        for (String name : names) {
          Path settings = folder.resolve(name);
          requireNoLink(workspace, settings);
          if (Files.exists(workspace.resolve(settings), LinkOption.NOFOLLOW_LINKS)) {
            found.add(settings.toString());
          }
        }
      }
    }
    if (!found.isEmpty() && !canHide) {
      throw refusal(found.getFirst(), "cannot be hidden in a container");
    }
    return found;
  }

  /// The workspace, and each folder on the way to the start folder.
  private static List<Path> foldersDownTo(String start) {
    List<Path> folders = new ArrayList<>(List.of(Path.of("")));
    if (!start.isEmpty()) {
      for (Path name : Path.of(start)) {
        folders.add(folders.getLast().resolve(name));
      }
    }
    return folders;
  }

  /// What a link leads to may be outside of the workspace, or change.
  private static void requireNoLink(Path workspace, Path settings) throws TurnFailed {
    Path path = Path.of("");
    for (Path name : settings) {
      path = path.resolve(name);
      if (Files.isSymbolicLink(workspace.resolve(path))) {
        throw refusal(path.toString(), "is a link");
      }
    }
  }

  private static TurnFailed refusal(String path, String why) {
    return new TurnFailed(
        TurnErrorCode.AGENT_NOT_AVAILABLE,
        ("The session has permissions, and %s %s: settings there could run programs that nobody is asked"
                + " about. Remove it from the repository, or in a turn without permissions.")
            .formatted(path, why));
  }
}
