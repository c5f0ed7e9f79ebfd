package agentsessions.session;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A plan or file captured from the sandbox (spec 2.4). `planId` is set for plans only; `bytes` is
/// the size.
public record Artifact(
    ArtifactId id,
    TurnKey turn,
    String path,
    @Nullable UUID planId,
    long bytes,
    String sha256,
    String mimeType,
    String objectKey,
    Instant createdAt) {
  private static final String PATCHES = "/home/agent/patches/";

  /// The id of the plan at a path of the sandbox: the same path rewritten is an iteration of the
  /// same plan.
  public static UUID planId(SessionId session, String path) {
    return UUID.nameUUIDFromBytes((session + ":" + path).getBytes(StandardCharsets.UTF_8));
  }

  /// The plan that was captured last.
  public static Optional<Artifact> latestPlan(List<Artifact> artifacts) {
    return artifacts.stream()
        .filter(artifact -> artifact.planId() != null)
        .reduce((one, other) -> other.createdAt().isBefore(one.createdAt()) ? one : other);
  }

  /// The same as a plain file, which is no iteration of a plan.
  public Artifact asFile() {
    return new Artifact(id, turn, path, null, bytes, sha256, mimeType, objectKey, createdAt);
  }

  public TurnId turnId() {
    return turn.id();
  }

  public String kind() {
    return planId == null ? "file" : "plan";
  }

  /// True where it is the patch of a turn's changes in a repository.
  public boolean isPatch() {
    return planId == null && mimeType.equals("text/x-diff") && path.startsWith(PATCHES);
  }

  public String fileName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
