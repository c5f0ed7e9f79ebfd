package agentsessions.table.item;

import agentsessions.session.Plans;
import agentsessions.session.id.SessionKey;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import java.util.Optional;

/// The item of a session's pointers to the latest artifact of each plan.
public final class PlansItem {
  private static final Schema REGISTER = new Schema();
  private static final Attribute<Plans> PLANS =
      REGISTER.attribute("plans", AttributeFormat.BYTES.as(Plans::read, Plans::bytes));

  /// Empty if the session has no plans yet.
  public static Plans read(Optional<Item> item) {
    return item.map(register -> register.get(PLANS)).orElse(Plans.NONE);
  }

  public static Change put(SessionKey key, Plans plans) {
    return REGISTER.change(Layout.plans(key)).set(PLANS, plans);
  }

  private PlansItem() {}
}
