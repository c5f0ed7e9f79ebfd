package agentsessions.table.item;

import agentsessions.session.usage.Ceilings;
import agentsessions.table.Attribute;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import org.jspecify.annotations.Nullable;

/// The map of ceilings, in a turn or a session; without a ceiling there is no map.
final class CeilingsMap {
  private static final Kind<Ceilings> KIND = new Kind<>(CeilingsMap::ceilings);
  private static final Attribute<Long> COST =
      KIND.part("cost", Kept.NUMBER, Ceilings::microDollars);
  private static final Attribute<Long> TOKENS = KIND.part("tokens", Kept.NUMBER, Ceilings::tokens);
  private static final Attribute<Long> REQUESTS =
      KIND.part("requests", Kept.NUMBER, Ceilings::requests);
  private static final Attribute<Long> SECONDS =
      KIND.part("seconds", Kept.NUMBER, Ceilings::seconds);

  static final Kept<Ceilings> KEPT = KIND.kept();

  static @Nullable Ceilings filled(Ceilings ceilings) {
    return ceilings.equals(Ceilings.NONE) ? null : ceilings;
  }

  private static Ceilings ceilings(Item item) {
    return new Ceilings(
        item.find(COST), item.find(TOKENS), item.find(REQUESTS), item.find(SECONDS));
  }

  private CeilingsMap() {}
}
