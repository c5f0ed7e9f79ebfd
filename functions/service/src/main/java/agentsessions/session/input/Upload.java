package agentsessions.session.input;

import agentsessions.session.id.UploadId;
import agentsessions.session.id.Workspace;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A file that a client puts into the bucket by a presigned link, to be named in messages for a
/// day.
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
  /// What is wanted of one that a message names, where it is none.
  public static final String WANTED =
      "must be an upload of the workspace that has arrived and not expired";

  /// The beginning of the keys of objects that are deleted by their age.
  static final String KEYS = "uploads/";

  /// The time in which messages may name it.
  public static final Duration USABLE = Duration.ofHours(24);

  /// The lifetime of the presigned link by which it is put into the bucket.
  public static final Duration LINK = Duration.ofHours(1);

  /// The key of its object in the bucket.
  public String objectKey() {
    return KEYS + "%s/%s".formatted(workspace, id);
  }

  public Instant expiresAt() {
    return createdAt.plus(USABLE);
  }

  public boolean isUsable(Instant now) {
    return now.isBefore(expiresAt());
  }

  /// Whether it may still arrive: then it counts among the open uploads. Once it has arrived it
  /// counts by its bytes, until its day is over.
  public boolean isOpen(Instant now) {
    return !arrived && now.isBefore(createdAt.plus(LINK));
  }

  public Upload thatArrived() {
    return new Upload(workspace, id, fileName, size, sha256, mimeType, createdAt, true);
  }
}
