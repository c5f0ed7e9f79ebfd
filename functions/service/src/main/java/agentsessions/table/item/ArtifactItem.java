package agentsessions.table.item;

import agentsessions.session.Artifact;
import agentsessions.session.id.TurnId;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.time.Instant;
import java.util.UUID;

/// The item of an artifact.
public final class ArtifactItem {
  private static final ItemSchema<Artifact> SCHEMA =
      new ItemSchema<>(
          artifact -> Layout.artifact(artifact.turn().sessionKey(), artifact.id()),
          ArtifactItem::artifact);
  private static final Attribute<TurnId> TURN =
      SCHEMA.part("turn", AttributeFormat.TURN, Artifact::turnId);
  private static final Attribute<String> PATH =
      SCHEMA.part("path", AttributeFormat.TEXT, Artifact::path);
  private static final Attribute<UUID> PLAN =
      SCHEMA.part("plan", AttributeFormat.ID, Artifact::planId);
  private static final Attribute<Long> BYTES =
      SCHEMA.part("bytes", AttributeFormat.NUMBER, Artifact::bytes);
  private static final Attribute<String> SHA256 =
      SCHEMA.part("sha256", AttributeFormat.TEXT, Artifact::sha256);
  private static final Attribute<String> MIME_TYPE =
      SCHEMA.part("mime_type", AttributeFormat.TEXT, Artifact::mimeType);
  private static final Attribute<String> OBJECT =
      SCHEMA.part("object", AttributeFormat.TEXT, Artifact::objectKey);
  private static final Attribute<Instant> CREATED =
      SCHEMA.part("created", AttributeFormat.INSTANT, Artifact::createdAt);

  public static Artifact read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Artifact artifact) {
    return SCHEMA.put(artifact);
  }

  private static Artifact artifact(Item item) {
    Layout.Key key = item.key();
    return new Artifact(
        key.artifact(),
        key.sessionKey().turn(item.get(TURN)),
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
