package agentsessions.api.artifacts;

import agentsessions.aws.Bucket;
import agentsessions.session.Artifact;
import jakarta.inject.Singleton;
import java.time.Clock;

/// The artifacts of the API with presigned download links. A link is signed when it is shown and
/// never stored, so that each works for six days.
@Singleton
public final class Downloads {
  private final Bucket bucket;
  private final Clock clock;

  public Downloads(Bucket bucket, Clock clock) {
    this.bucket = bucket;
    this.clock = clock;
  }

  public ArtifactBody of(Artifact artifact) {
    String link =
        bucket.downloadLink(
            artifact.objectKey(),
            artifact.mimeType(),
            ArtifactsController.disposition(artifact.fileName()));
    return ArtifactBody.of(artifact, link, clock.instant().plus(Bucket.DOWNLOAD));
  }
}
