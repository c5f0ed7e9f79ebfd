package agentsessions.runner.capture;

import agentsessions.runner.capture.CaptureIndex.Stamp;
import agentsessions.runner.control.UploadedFile;
import java.nio.file.Path;

/// A file to capture, with the path at which the agent sees it.
public record CapturedFile(
    UntrustedFolder tree, Path file, String path, UploadedFile.Kind kind, Stamp stamp) {
  public String name() {
    return file.getFileName().toString();
  }
}
