package agentsessions.table.item;

import agentsessions.session.input.Secret;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.time.Instant;
import java.util.List;

/// The item of a secret, without its value, which is kept outside of the table.
public final class SecretItem {
  private static final ItemSchema<Secret> SCHEMA =
      new ItemSchema<>(
          secret -> Layout.secret(secret.workspace(), secret.name()), SecretItem::secret);
  private static final Attribute<String> HOSTS =
      SCHEMA.part("hosts", AttributeFormat.TEXT, secret -> String.join(" ", secret.hosts()));
  private static final Attribute<Boolean> ENVIRONMENT =
      SCHEMA.part("environment", AttributeFormat.FLAG, Secret::environment);
  private static final Attribute<Instant> UPDATED =
      SCHEMA.part("updated", AttributeFormat.INSTANT, Secret::updatedAt);
  public static final Attribute<String> PARAMETER =
      SCHEMA.part("parameter", AttributeFormat.TEXT, Secret::parameter);

  public static Secret read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Secret secret) {
    return SCHEMA.put(secret);
  }

  private static Secret secret(Item item) {
    Layout.Key key = item.key();
    String hosts = item.get(HOSTS);
    return new Secret(
        key.workspace(),
        key.sk(),
        hosts.isEmpty() ? List.of() : List.of(hosts.split(" ", -1)),
        item.get(ENVIRONMENT),
        item.get(UPDATED),
        item.get(PARAMETER));
  }

  private SecretItem() {}
}
