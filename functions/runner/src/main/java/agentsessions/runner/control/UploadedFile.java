package agentsessions.runner.control;

import com.fasterxml.jackson.annotation.JsonProperty;

/// An uploaded file of the sandbox, as the result reports it.
///
/// @param key the name of the object, given by the service
/// @param path where the agent sees the file
/// @param capturedAt epoch seconds
public record UploadedFile(
    String key, String path, Kind kind, String sha256, String mimeType, double capturedAt) {

  public enum Kind {
    @JsonProperty("plan")
    PLAN,
    @JsonProperty("file")
    FILE
  }
}
