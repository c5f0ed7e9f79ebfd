package agentsessions.local.process;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What is the same for all tasks, which on AWS a task definition says.
///
/// @param runner the environment of the runner's container, without what a launch adds; holds no
///   key
/// @param proxy the same of the container that adds the models' keys
/// @param catalogue the operator's own, if there is one
/// @param ports of this machine's loopback that a task reaches as its own
/// @param memoryMib what a turn may have
/// @param owner the folder of the service whose tasks they are
/// @param logFile where the containers write
public record TaskPlan(
    TaskImage image,
    Map<String, String> runner,
    Map<String, String> proxy,
    Optional<Path> catalogue,
    Set<Integer> ports,
    int memoryMib,
    Path owner,
    Path logFile) {
  /// Without the keys, so that no log can hold them.
  @Override
  public String toString() {
    return "tasks of " + image.name();
  }
}
