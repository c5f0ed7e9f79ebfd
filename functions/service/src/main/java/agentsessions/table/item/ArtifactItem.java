package agentsessions.table.item;

import agentsessions.session.Artifact;
import agentsessions.session.id.TurnId;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The item of an artifact.
public final class ArtifactItem {
  private static final Attribute<Artifact, UUID> TURN =
      new Attribute<>("turn", Kept.ID, artifact -> artifact.turnId().value());
  private static final Attribute<Artifact, String> PATH =
      new Attribute<>("path", Kept.TEXT, Artifact::path);
  private static final Attribute<Artifact, UUID> PLAN =
      new Attribute<>("plan", Kept.ID, Artifact::planId);
  private static final Attribute<Artifact, Long> BYTES =
      new Attribute<>("bytes", Kept.NUMBER, Artifact::bytes);
  private static final Attribute<Artifact, String> SHA256 =
      new Attribute<>("sha256", Kept.TEXT, Artifact::sha256);
  private static final Attribute<Artifact, String> MIME_TYPE =
      new Attribute<>("mime_type", Kept.TEXT, Artifact::mimeType);
  private static final Attribute<Artifact, String> OBJECT =
      new Attribute<>("object", Kept.TEXT, Artifact::objectKey);
  private static final Attribute<Artifact, Instant> CREATED =
      new Attribute<>("created", Kept.INSTANT, Artifact::createdAt);

  private static final Kind<Artifact> KIND =
      new Kind<>(
          Artifact.class,
          artifact -> Layout.artifact(artifact.turn().session(), artifact.id()),
          ArtifactItem::artifact,
          List.of(TURN, PATH, PLAN, BYTES, SHA256, MIME_TYPE, OBJECT, CREATED));

  public static Artifact read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Artifact artifact) {
    return KIND.put(artifact);
  }

  private static Artifact artifact(Layout.Key key, Parts parts) {
    return new Artifact(
        key.artifact(),
        key.session().turn(new TurnId(parts.get(TURN))),
        parts.get(PATH),
        parts.find(PLAN),
        parts.get(BYTES),
        parts.get(SHA256),
        parts.get(MIME_TYPE),
        parts.get(OBJECT),
        parts.get(CREATED));
  }

  private ArtifactItem() {}
}
