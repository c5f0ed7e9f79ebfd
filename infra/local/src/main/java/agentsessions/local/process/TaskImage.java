package agentsessions.local.process;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The container image of tasks, which scripts/image builds.
///
/// @param network the network of a task's containers: `bridge`, or `none` if the engine has no
///   bridge
public record TaskImage(String name, String network) {
  /// The default name.
  public static final String USUAL = "agent-sessions-task";

  private static final String BRIDGE = "bridge";

  /// Finds the image of a name.
  ///
  /// @throws CannotStart if Docker does not answer or there is no such image
  public static TaskImage find(String name) throws InterruptedException {
    Docker.require();
    try {
      String _ = Docker.ask(List.of("image", "inspect", "--format", "{{.Id}}", name));
      String networks = Docker.ask(List.of("network", "ls", "--format", "{{.Name}}"));
      return new TaskImage(name, networks.lines().anyMatch(BRIDGE::equals) ? BRIDGE : "none");
    } catch (Docker.Failed missing) {
      throw new CannotStart(
          "There is no image " + name + ": build it with scripts/image --name " + name, missing);
    } catch (IOException e) {
      throw new CannotStart("Cannot run docker: " + Failures.text(e), e);
    }
  }

  /// The commands, among those wanted, that agents find in the image.
  public Set<String> commands(Set<String> wanted) throws InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("run", "--rm", "--network", "none", name, "agents"));
    words.addAll(wanted);
    try {
      return new HashSet<>(Docker.ask(words).lines().toList());
    } catch (Docker.Failed | IOException e) {
      throw new CannotStart("The image " + name + " does not run: " + Failures.text(e), e);
    }
  }
}
