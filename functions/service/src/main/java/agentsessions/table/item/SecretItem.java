package agentsessions.table.item;

import agentsessions.session.input.Secret;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import java.time.Instant;
import java.util.List;

/// The item of a secret; its value is kept elsewhere.
public final class SecretItem {
  private static final Attribute<Secret, String> HOSTS =
      new Attribute<>("hosts", Kept.TEXT, secret -> String.join(" ", secret.hosts()));
  private static final Attribute<Secret, Boolean> ENVIRONMENT =
      new Attribute<>("environment", Kept.FLAG, Secret::environment);
  private static final Attribute<Secret, Instant> UPDATED =
      new Attribute<>("updated", Kept.INSTANT, Secret::updatedAt);
  private static final Attribute<Secret, String> PARAMETER =
      new Attribute<>("parameter", Kept.TEXT, Secret::parameter);

  private static final Kind<Secret> KIND =
      new Kind<>(
          Secret.class,
          secret -> Layout.secret(secret.workspace(), secret.name()),
          SecretItem::secret,
          List.of(HOSTS, ENVIRONMENT, UPDATED, PARAMETER));

  public static Secret read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Secret secret) {
    return KIND.put(secret);
  }

  private static Secret secret(Layout.Key key, Parts parts) {
    String hosts = parts.get(HOSTS);
    return new Secret(
        key.workspace(),
        key.sk(),
        hosts.isEmpty() ? List.of() : List.of(hosts.split(" ", -1)),
        parts.get(ENVIRONMENT),
        parts.get(UPDATED),
        parts.get(PARAMETER));
  }

  private SecretItem() {}
}
