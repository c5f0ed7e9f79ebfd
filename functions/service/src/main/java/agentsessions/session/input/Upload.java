package agentsessions.session.input;

import agentsessions.session.id.UploadId;
import agentsessions.session.id.Workspace;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A file that a client puts into the bucket by a link, to be named in messages for a day.
///
/// @param size in bytes, exactly
/// @param sha256 in lower-case hexadecimal digits, where the client has said it
/// @param arrived whether its object is known to be there
public record Upload(
    Workspace workspace,
    UploadId id,
    String fileName,
    long size,
    @Nullable String sha256,
    @Nullable String mimeType,
    Instant createdAt,
    boolean arrived) {
  /// How long it may be named in messages.
  public static final Duration USABLE = Duration.ofHours(24);

  /// How long its link works, by which it is put.
  public static final Duration LINK = Duration.ofHours(1);

  /// Where the object is in the bucket.
  public String objectKey() {
    return "uploads/%s/%s".formatted(workspace, id);
  }

  public Instant expiresAt() {
    return createdAt.plus(USABLE);
  }

  public boolean isUsable(Instant now) {
    return now.isBefore(expiresAt());
  }

  /// Whether it may still arrive: then it counts among those that are open. Once it has arrived it
  /// counts by its bytes, until its day is over.
  public boolean isOpen(Instant now) {
    return !arrived && now.isBefore(createdAt.plus(LINK));
  }

  public Upload thatArrived() {
    return new Upload(workspace, id, fileName, size, sha256, mimeType, createdAt, true);
  }
}
