package agentsessions.local.process;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The image that tasks are made of, as scripts/image builds it.
///
/// @param network what a container with a network is given: `none` where the engine has no bridge
public record TaskImage(String name, String network) {
  /// Its name unless one says otherwise.
  public static final String USUAL = "agent-sessions-task";

  private static final String BRIDGE = "bridge";

  /// The one of this name.
  ///
  /// @throws CannotStart if there is no Docker, or no such image
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

  /// Which of these commands agents find in it.
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
