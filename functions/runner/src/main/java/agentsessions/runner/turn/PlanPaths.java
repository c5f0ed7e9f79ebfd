package agentsessions.runner.turn;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.capture.Globs;
import agentsessions.runner.sandbox.AgentFolders;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The paths of files that are plans, by an agent's entry.
///
/// @param roots the workspace and the folders of its repositories
record PlanPaths(List<Path> roots, Path home, List<String> plans) implements Predicate<String> {
  static PlanPaths of(AgentEntry entry, AgentFolders folders, List<String> repositories) {
    Path workspace = Path.of(folders.workspace());
    List<Path> roots = repositories.stream().map(workspace::resolve).toList();
    return new PlanPaths(
        Stream.concat(Stream.of(workspace), roots.stream()).toList(),
        Path.of(folders.home()),
        entry.plans());
  }

  @Override
  public boolean test(String path) {
    try {
      Path file = roots.getFirst().resolve(path).normalize();
      return roots.stream().anyMatch(root -> isBelow(root, file, Globs.inWorkspace(plans)))
          || isBelow(home, file, Globs.belowHome(plans));
    } catch (InvalidPathException odd) {
      return false;
    }
  }

  private static boolean isBelow(Path folder, Path file, Globs plans) {
    return file.startsWith(folder) && plans.match(folder.relativize(file));
  }
}
