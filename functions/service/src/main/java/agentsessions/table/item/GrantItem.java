package agentsessions.table.item;

import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Grant;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.time.Instant;

/// The item of a grant.
public final class GrantItem {
  private static final ItemSchema<Grant> SCHEMA =
      new ItemSchema<>(
          grant -> Layout.grant(grant.sessionKey(), grant.fingerprint()), GrantItem::grant);
  private static final Attribute<String> TITLE =
      SCHEMA.part("title", AttributeFormat.TEXT, Grant::title);
  private static final Attribute<String> TOOL =
      SCHEMA.part("tool", AttributeFormat.TEXT, Grant::toolName);
  private static final Attribute<ToolPermissions.Kind> KIND =
      SCHEMA.part("kind", AttributeFormat.name(ToolPermissions.Kind.class), Grant::kind);
  private static final Attribute<Instant> CREATED =
      SCHEMA.part("created", AttributeFormat.INSTANT, Grant::createdAt);
  private static final Attribute<String> KEY_ID =
      SCHEMA.part("key_id", AttributeFormat.TEXT, Grant::keyId);

  public static Grant read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Grant grant) {
    return SCHEMA.put(grant);
  }

  private static Grant grant(Item item) {
    Layout.Key key = item.key();
    return new Grant(
        key.sessionKey(),
        key.fingerprint(),
        item.get(TITLE),
        item.get(TOOL),
        item.get(KIND),
        item.get(CREATED),
        item.get(KEY_ID));
  }

  private GrantItem() {}
}
