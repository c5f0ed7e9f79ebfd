package agentsessions.table.item;

import agentsessions.session.usage.Ceilings;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import org.jspecify.annotations.Nullable;

/// The map of ceilings, in a turn or a session; without a ceiling there is no map.
final class CeilingsMap {
  private static final ItemSchema<Ceilings> SCHEMA = new ItemSchema<>(CeilingsMap::ceilings);
  private static final Attribute<Long> COST =
      SCHEMA.part("cost", AttributeFormat.NUMBER, Ceilings::microDollars);
  private static final Attribute<Long> TOKENS =
      SCHEMA.part("tokens", AttributeFormat.NUMBER, Ceilings::tokens);
  private static final Attribute<Long> REQUESTS =
      SCHEMA.part("requests", AttributeFormat.NUMBER, Ceilings::requests);
  private static final Attribute<Long> SECONDS =
      SCHEMA.part("seconds", AttributeFormat.NUMBER, Ceilings::seconds);

  static final AttributeFormat<Ceilings> FORMAT = SCHEMA.format();

  static @Nullable Ceilings filled(Ceilings ceilings) {
    return ceilings.equals(Ceilings.NONE) ? null : ceilings;
  }

  private static Ceilings ceilings(Item item) {
    return new Ceilings(
        item.find(COST), item.find(TOKENS), item.find(REQUESTS), item.find(SECONDS));
  }

  private CeilingsMap() {}
}
