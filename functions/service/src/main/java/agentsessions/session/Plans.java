package agentsessions.session;

import agentsessions.session.id.ArtifactId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The latest artifact of each plan of a session, in the order in which the plans first appeared
/// (spec 2.1). Stored as 32 bytes a plan.
public record Plans(Map<UUID, ArtifactId> latest) {
  private static final int ENTRY = 32;

  /// The most plans of a session: one item holds them with room to spare.
  public static final int MAX = 10_000;

  public static final Plans NONE = new Plans(Map.of());

  public static Plans read(ByteBuffer bytes) {
    Map<UUID, ArtifactId> latest = new LinkedHashMap<>();
    while (bytes.remaining() >= ENTRY) {
      latest.put(uuid(bytes), new ArtifactId(uuid(bytes)));
    }
    return new Plans(latest);
  }

  public ByteBuffer bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(latest.size() * ENTRY);
    latest.forEach((plan, artifact) -> put(put(bytes, plan), artifact.value()));
    return bytes.flip();
  }

  /// A new iteration takes its plan's place; a new plan comes last.
  public Plans with(List<Artifact> artifacts) {
    Map<UUID, ArtifactId> next = new LinkedHashMap<>(latest);
    for (Artifact artifact : artifacts) {
      if (artifact.planId() != null) {
        next.put(artifact.planId(), artifact.id());
      }
    }
    return new Plans(next);
  }

  /// True while `plan` is known or there is room for one more.
  public boolean hasRoomFor(UUID plan) {
    return latest.containsKey(plan) || latest.size() < MAX;
  }

  /// These artifacts as they can be recorded: a new plan for which there is no room becomes a file.
  public List<Artifact> fitting(List<Artifact> artifacts) {
    List<Artifact> fitting = new ArrayList<>();
    Plans known = this;
    for (Artifact artifact : artifacts) {
      UUID plan = artifact.planId();
      Artifact fits = plan == null || known.hasRoomFor(plan) ? artifact : artifact.asFile();
      fitting.add(fits);
      known = known.with(List.of(fits));
    }
    return fitting;
  }

  public List<ArtifactId> artifactIds() {
    return new ArrayList<>(latest.values());
  }

  private static UUID uuid(ByteBuffer bytes) {
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  private static ByteBuffer put(ByteBuffer bytes, UUID uuid) {
    return bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
  }
}
