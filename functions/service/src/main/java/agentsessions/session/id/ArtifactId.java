package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names one captured file: a time-ordered UUID, so that artifacts sort by it.
public record ArtifactId(UUID value) {
  public static Optional<ArtifactId> parse(String text) {
    return Uuids.parse(text).map(ArtifactId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
