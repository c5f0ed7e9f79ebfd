package agentsessions.table.item;

import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.SessionGrant;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.time.Instant;

/// The item of a grant.
public final class GrantItem {
  private static final ItemSchema<SessionGrant> SCHEMA =
      new ItemSchema<>(
          grant -> Layout.grant(grant.sessionKey(), grant.fingerprint()), GrantItem::grant);
  private static final Attribute<String> TITLE =
      SCHEMA.part("title", AttributeFormat.TEXT, SessionGrant::title);
  private static final Attribute<String> TOOL =
      SCHEMA.part("tool", AttributeFormat.TEXT, SessionGrant::toolName);
  private static final Attribute<ToolPermissions.Kind> KIND =
      SCHEMA.part("kind", AttributeFormat.name(ToolPermissions.Kind.class), SessionGrant::kind);
  private static final Attribute<Instant> CREATED =
      SCHEMA.part("created", AttributeFormat.INSTANT, SessionGrant::createdAt);
  private static final Attribute<String> KEY_ID =
      SCHEMA.part("key_id", AttributeFormat.TEXT, SessionGrant::keyId);

  public static SessionGrant read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(SessionGrant grant) {
    return SCHEMA.put(grant);
  }

  private static SessionGrant grant(Item item) {
    Layout.Key key = item.key();
    return new SessionGrant(
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
