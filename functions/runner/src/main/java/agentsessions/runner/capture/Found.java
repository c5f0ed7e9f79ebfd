package agentsessions.runner.capture;

import agentsessions.runner.capture.Snapshot.Stamp;
import agentsessions.runner.control.Artifact;
import java.nio.file.Path;

/// A file to capture, with the path at which the agent sees it.
public record Found(Tree tree, Path file, String path, Artifact.Kind kind, Stamp stamp) {
  public String name() {
    return file.getFileName().toString();
  }
}
