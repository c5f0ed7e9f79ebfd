package agentsessions.local.process;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The common settings of all tasks, which on AWS are in the task definition.
///
/// @param runner the environment of the runner's container, to which each launch adds; holds no key
/// @param proxy the same for the proxy's container; holds the models' keys
/// @param catalogue the operator's own catalogue, if there is one
/// @param ports of this machine's loopback that are forwarded into a task
/// @param memoryMib the memory limit of a turn
/// @param owner the data folder of the service that owns the tasks
/// @param logFile the file for the containers' output
public record TaskPlan(
    TaskImage image,
    Map<String, String> runner,
    Map<String, String> proxy,
    Optional<Path> catalogue,
    Set<Integer> ports,
    int memoryMib,
    Path owner,
    Path logFile) {
  /// Leaves the keys out, so that no log can hold them.
  @Override
  public String toString() {
    return "tasks of " + image.name();
  }
}
