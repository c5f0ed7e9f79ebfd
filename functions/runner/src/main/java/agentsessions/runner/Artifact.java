package agentsessions.runner;

import com.fasterxml.jackson.annotation.JsonProperty;

/// A file of the sandbox as it was uploaded.
///
/// @param key the object's name, from the service
/// @param path where the agent sees the file
/// @param capturedAt epoch seconds
record Artifact(
    String key,
    String path,
    Kind kind,
    long size,
    String sha256,
    String mimeType,
    double capturedAt) {

  enum Kind {
    @JsonProperty("plan")
    PLAN,
    @JsonProperty("file")
    FILE
  }
}
