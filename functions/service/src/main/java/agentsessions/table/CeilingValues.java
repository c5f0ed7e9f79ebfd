package agentsessions.table;

import agentsessions.session.usage.Ceilings;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored form of ceilings; none is not there.
public final class CeilingValues {
  public static final Kept<Ceilings> KEPT =
      Kept.map(Ceilings.class, CeilingValues::of, CeilingValues::read);

  public static @Nullable Ceilings filled(Ceilings ceilings) {
    return ceilings.equals(Ceilings.NONE) ? null : ceilings;
  }

  static AttributeValue of(Ceilings ceilings) {
    Attributes attributes = new Attributes();
    put(attributes, "cost", ceilings.microDollars());
    put(attributes, "tokens", ceilings.tokens());
    put(attributes, "requests", ceilings.requests());
    put(attributes, "seconds", ceilings.seconds());
    return attributes.value();
  }

  private static void put(Attributes attributes, String name, @Nullable Long number) {
    if (number != null) {
      Attributes _ = attributes.number(name, number);
    }
  }

  private static Ceilings read(Item item) {
    return new Ceilings(
        item.nullableNumber("cost"),
        item.nullableNumber("tokens"),
        item.nullableNumber("requests"),
        item.nullableNumber("seconds"));
  }

  private CeilingValues() {}
}
