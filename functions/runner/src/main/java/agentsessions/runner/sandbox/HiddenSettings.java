package agentsessions.runner.sandbox;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.TurnFailed;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The places of settings and start files that are empty for an agent whose tools are judged,
/// throughout its run: what stands there would run without a call that anybody could judge.
public final class HiddenSettings {

  /// What the shells read as they start by which agents and their hooks run commands.
  private static final List<String> START_FILES =
      Stream.of(
              "bashrc bash_profile bash_login bash_logout profile".split(" ", -1),
              "zshenv zprofile zshrc zlogin zlogout".split(" ", -1))
          .flatMap(Stream::of)
          .map("~/."::concat)
          .toList();

  private final SessionFolder folder;
  private final String start;
  private final boolean canHide;

  /// @param start the start folder, relative to the workspace; empty: the workspace
  /// @param canHide whether the sandbox can hide them
  public HiddenSettings(SessionFolder folder, String start, boolean canHide) {
    this.folder = folder;
    this.start = start;
    this.canHide = canHide;
  }

  /// The places to hide, as absolute paths in the sandbox; with a slash at the end where a folder
  /// is to be if there is nothing. In the workspace that is everywhere, since git passes over empty
  /// folders.
  ///
  /// @param names relative to HOME where they begin with `~/`; else to the start folder and to
  ///   those above it. With a slash at the end: a folder
  /// @throws TurnFailed if one cannot be hidden
  public List<String> of(List<String> names) throws TurnFailed {
    List<String> places = new ArrayList<>();
    for (String name : Stream.concat(START_FILES.stream(), names.stream()).toList()) {
      if (name.startsWith("~/")) {
        check("~/", folder.home(), Path.of(name.substring(2)));
        places.add(Mounts.FOLDERS.home() + name.substring(1));
      } else {
        for (Path above : foldersDownTo(start)) {
          Path settings = above.resolve(name);
          check("", folder.work(), settings);
          places.add(Mounts.FOLDERS.workspace() + "/" + settings + "/");
        }
      }
    }
    return canHide ? places : List.of();
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

  /// What a link leads to may be elsewhere, or change.
  private void check(String shown, Path root, Path settings) throws TurnFailed {
    Optional<Path> obstacle = MountPoints.obstacle(root, settings);
    if (obstacle.isPresent()) {
      throw refusal(shown + obstacle.get(), "is a link, or no folder");
    }
    if (!canHide && Files.exists(root.resolve(settings), LinkOption.NOFOLLOW_LINKS)) {
      throw refusal(shown + settings, "cannot be hidden in a container");
    }
  }

  private static TurnFailed refusal(String path, String why) {
    return new TurnFailed(
        TurnErrorCode.AGENT_NOT_AVAILABLE,
        ("The session has permissions, and %s %s: what stands there could run programs that nobody is"
                + " asked about. Remove it, for example in a turn without permissions.")
            .formatted(path, why));
  }
}
