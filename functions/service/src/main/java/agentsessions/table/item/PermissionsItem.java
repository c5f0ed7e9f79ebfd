package agentsessions.table.item;

import agentsessions.session.id.SessionKey;
import agentsessions.session.input.ToolPermissions;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Write;
import java.util.List;

/// The item of one version of a session's permissions. Its key says what is in it, so it never
/// changes, and a turn keeps the version that it began with.
public final class PermissionsItem {
  private static final ItemSchema<ToolPermissions.Rule> RULE =
      new ItemSchema<>(PermissionsItem::rule);
  private static final Attribute<ToolPermissions.Kind> KIND =
      RULE.part(
          "kind", AttributeFormat.name(ToolPermissions.Kind.class), ToolPermissions.Rule::kind);
  private static final Attribute<String> TOOL =
      RULE.part("tool", AttributeFormat.TEXT, ToolPermissions.Rule::tool);
  private static final Attribute<String> MATCH =
      RULE.part("match", AttributeFormat.TEXT, ToolPermissions.Rule::match);
  private static final Attribute<ToolPermissions.Policy> POLICY =
      RULE.part(
          "policy",
          AttributeFormat.name(ToolPermissions.Policy.class),
          ToolPermissions.Rule::policy);

  private static final Schema SCHEMA = new Schema();
  private static final Attribute<ToolPermissions.Policy> DEFAULT =
      SCHEMA.attribute("default", AttributeFormat.name(ToolPermissions.Policy.class));
  private static final Attribute<List<ToolPermissions.Rule>> RULES =
      SCHEMA.attribute("rules", AttributeFormat.list(RULE.format()));
  private static final Attribute<Boolean> FOUR_EYES =
      SCHEMA.attribute("four_eyes", AttributeFormat.FLAG);
  private static final Attribute<Integer> HOLD_SECONDS =
      SCHEMA.attribute("hold_seconds", AttributeFormat.COUNT);
  private static final Attribute<Boolean> QUESTIONS =
      SCHEMA.attribute("questions", AttributeFormat.FLAG);
  private static final Attribute<Boolean> PLAN = SCHEMA.attribute("plan", AttributeFormat.FLAG);
  private static final Attribute<Integer> EXPIRES_IN_DAYS =
      SCHEMA.attribute("expires_in_days", AttributeFormat.COUNT);

  public static ToolPermissions read(Item item) {
    return new ToolPermissions(
        item.get(DEFAULT),
        item.get(RULES),
        new ToolPermissions.Asking(
            item.flag(FOUR_EYES),
            item.get(HOLD_SECONDS, ToolPermissions.Asking.USUAL.holdSeconds()),
            item.flag(QUESTIONS),
            item.flag(PLAN),
            item.get(EXPIRES_IN_DAYS, ToolPermissions.Asking.USUAL.expiresInDays())));
  }

  /// Keeps a version; one that is kept already stays as it is.
  public static Write keep(SessionKey key, ToolPermissions permissions) {
    return SCHEMA
        .change(Layout.permissions(key, permissions.version()))
        .initially(DEFAULT, permissions.byDefault())
        .initially(RULES, permissions.rules())
        .initially(FOUR_EYES, permissions.asking().fourEyes())
        .initially(HOLD_SECONDS, permissions.asking().holdSeconds())
        .initially(QUESTIONS, permissions.asking().questions())
        .initially(PLAN, permissions.asking().plan())
        .initially(EXPIRES_IN_DAYS, permissions.asking().expiresInDays())
        .update();
  }

  private static ToolPermissions.Rule rule(Item item) {
    return new ToolPermissions.Rule(
        item.find(KIND), item.find(TOOL), item.find(MATCH), item.get(POLICY));
  }

  private PermissionsItem() {}
}
