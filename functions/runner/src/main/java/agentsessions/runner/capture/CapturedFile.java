package agentsessions.runner.capture;

import agentsessions.runner.capture.CaptureIndex.Stamp;
import agentsessions.wire.TurnResult.Artifact;
import java.nio.file.Path;

/// A file to capture, with the path at which the agent sees it.
public record CapturedFile(UntrustedFolder tree, Path file, String path, Kind kind, Stamp stamp) {
  /// The kind of the artifact, as clients see it.
  public enum Kind {
    PLAN(Artifact.PLAN),
    FILE(Artifact.FILE);

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /// The word for it in the runner protocol.
    public String word() {
      return word;
    }
  }

  public String name() {
    return file.getFileName().toString();
  }
}
