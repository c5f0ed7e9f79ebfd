package agentsessions.table.item;

import agentsessions.session.input.Secret;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import java.time.Instant;
import java.util.List;

/// The item of a secret, without its value, which is kept outside of the table.
public final class SecretItem {
  private static final Kind<Secret> KIND =
      new Kind<>(secret -> Layout.secret(secret.workspace(), secret.name()), SecretItem::secret);
  private static final Attribute<String> HOSTS =
      KIND.part("hosts", Kept.TEXT, secret -> String.join(" ", secret.hosts()));
  private static final Attribute<Boolean> ENVIRONMENT =
      KIND.part("environment", Kept.FLAG, Secret::environment);
  private static final Attribute<Instant> UPDATED =
      KIND.part("updated", Kept.INSTANT, Secret::updatedAt);
  public static final Attribute<String> PARAMETER =
      KIND.part("parameter", Kept.TEXT, Secret::parameter);

  public static Secret read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Secret secret) {
    return KIND.put(secret);
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
