package agentsessions.runner.capture;

import agentsessions.runner.capture.CaptureIndex.Stamp;
import agentsessions.wire.TurnResult.Artifact;
import java.nio.file.Path;

/// A file to capture, and where the agent sees it.
public record CapturedFile(UntrustedFolder tree, Path file, String path, Kind kind, Stamp stamp) {
  /// What it is to whoever reads the session.
  public enum Kind {
    PLAN(Artifact.PLAN),
    FILE(Artifact.FILE);

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /// As the service is told.
    public String word() {
      return word;
    }
  }

  public String name() {
    return file.getFileName().toString();
  }
}
