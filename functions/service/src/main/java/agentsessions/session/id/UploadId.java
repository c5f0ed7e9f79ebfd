package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names one upload.
public record UploadId(UUID value) {
  public static Optional<UploadId> parse(String text) {
    return Uuids.parse(text).map(UploadId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
