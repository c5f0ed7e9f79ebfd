package agentsessions.table.item;

import agentsessions.session.Artifact;
import agentsessions.session.id.TurnId;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import java.time.Instant;
import java.util.UUID;

/// The item of an artifact.
public final class ArtifactItem {
  private static final Kind<Artifact> KIND =
      new Kind<>(
          artifact -> Layout.artifact(artifact.turn().session(), artifact.id()),
          ArtifactItem::artifact);
  private static final Attribute<TurnId> TURN = KIND.part("turn", Kept.TURN, Artifact::turnId);
  private static final Attribute<String> PATH = KIND.part("path", Kept.TEXT, Artifact::path);
  private static final Attribute<UUID> PLAN = KIND.part("plan", Kept.ID, Artifact::planId);
  private static final Attribute<Long> BYTES = KIND.part("bytes", Kept.NUMBER, Artifact::bytes);
  private static final Attribute<String> SHA256 = KIND.part("sha256", Kept.TEXT, Artifact::sha256);
  private static final Attribute<String> MIME_TYPE =
      KIND.part("mime_type", Kept.TEXT, Artifact::mimeType);
  private static final Attribute<String> OBJECT =
      KIND.part("object", Kept.TEXT, Artifact::objectKey);
  private static final Attribute<Instant> CREATED =
      KIND.part("created", Kept.INSTANT, Artifact::createdAt);

  public static Artifact read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Artifact artifact) {
    return KIND.put(artifact);
  }

  private static Artifact artifact(Item item) {
    Layout.Key key = item.key();
    return new Artifact(
        key.artifact(),
        key.session().turn(item.get(TURN)),
        item.get(PATH),
        item.find(PLAN),
        item.get(BYTES),
        item.get(SHA256),
        item.get(MIME_TYPE),
        item.get(OBJECT),
        item.get(CREATED));
  }

  private ArtifactItem() {}
}
