package agentsessions.api.artifacts;

import agentsessions.api.request.CommonJson;
import agentsessions.session.Artifact;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An artifact as the API shows it, with a link that downloads it.
@Serdeable
record ArtifactBody(
    String id,
    String url,
    String fileName,
    String filePath,
    BigDecimal fileSizeInKb,
    String mimeType,
    String kind,
    @Nullable String planId,
    String createdAt,
    String threadId,
    String sha256,
    String urlExpiresAt) {
  static ArtifactBody of(Artifact artifact, String url, Instant expires) {
    return new ArtifactBody(
        artifact.id().toString(),
        url,
        artifact.fileName(),
        artifact.path(),
        kilobytes(artifact.bytes()),
        artifact.mimeType(),
        artifact.kind(),
        artifact.planId() == null ? null : artifact.planId().toString(),
        CommonJson.time(artifact.createdAt()),
        artifact.turnId().toString(),
        artifact.sha256(),
        CommonJson.time(expires));
  }

  private static BigDecimal kilobytes(long bytes) {
    BigDecimal exact = BigDecimal.valueOf(bytes).divide(BigDecimal.valueOf(1024));
    return exact.scale() < 0 ? exact.setScale(0) : exact;
  }
}
