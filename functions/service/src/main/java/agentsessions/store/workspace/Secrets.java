package agentsessions.store.workspace;

import agentsessions.authorizer.KeyEnded;
import agentsessions.aws.ParameterStore;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Secret;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.NotAllowed;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.SecretItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The secrets of a workspace: records in the table, values in Parameter Store.
///
/// A value never changes where it is kept: each change makes another parameter, and the record
/// names the one in force. So a value is never combined with the hosts of another, and a deleted
/// name can be used again at once.
///
/// Why: decision 015.
@Singleton
public final class Secrets {
  /// The most secrets of a workspace.
  public static final int MOST = 100;

  private static final int ATTEMPTS = 6;

  private final Table table;
  private final ParameterStore parameters;
  private final Clock clock;

  public Secrets(Table table, ParameterStore parameters, Clock clock) {
    this.table = table;
    this.parameters = parameters;
    this.clock = clock;
  }

  /// A secret with its value, for the claim of a turn only.
  public record Known(Secret secret, String value) {
    /// Without the value, so that no log can hold it.
    @Override
    public String toString() {
      return secret.toString();
    }
  }

  /// The secrets of these names (at most 100); those that do not exist are missing.
  public Map<String, Secret> find(Workspace workspace, Collection<String> names) {
    List<Layout.Key> keys = names.stream().map(name -> Layout.secret(workspace, name)).toList();
    return table.items(keys).values().stream()
        .map(SecretItem::read)
        .collect(Collectors.toMap(Secret::name, Function.identity()));
  }

  /// The same with their current values.
  public Map<String, Known> read(Workspace workspace, Collection<String> names) {
    for (int attempt = 1; ; attempt++) {
      Map<String, Secret> secrets = find(workspace, names);
      Map<String, Known> known = known(secrets);
      if (known.size() == secrets.size() || attempt == ATTEMPTS) {
        return known;
      }
      // One of them has just been changed, or is so new that its value does not show yet.
      Retries.pause("GetParameters", attempt);
    }
  }

  /// All secrets of a workspace, by name.
  public List<Secret> list(Workspace workspace) {
    return table.range(Layout.secrets(workspace), "A", Layout.GREATEST, true, MOST).stream()
        .map(SecretItem::read)
        .toList();
  }

  /// Makes or replaces a secret; false if the workspace has [#MOST] others already.
  public boolean put(
      Workspace workspace, String name, String value, List<String> hosts, boolean environment) {
    Secret fresh =
        new Secret(workspace, name, hosts, environment, clock.instant(), unused(workspace, name));
    parameters.make(fresh.parameter(), value);
    try {
      boolean kept = recorded(fresh);
      if (!kept) {
        parameters.delete(fresh.parameter());
      }
      return kept;
    } catch (KeyEnded | NotAllowed unwritten) {
      removeUnused(fresh, unwritten);
      throw unwritten;
    }
  }

  /// Removes a value that is in force nowhere; where that fails, the reason is still the first one.
  private void removeUnused(Secret fresh, RuntimeException unwritten) {
    try {
      parameters.delete(fresh.parameter());
    } catch (RuntimeException failed) {
      unwritten.addSuppressed(failed);
    }
  }

  /// Removes a secret; false if there is none of that name.
  public boolean delete(Workspace workspace, String name) {
    for (int tries = 1; ; tries++) {
      Secret secret = find(workspace, List.of(name)).get(name);
      if (secret == null) {
        return false;
      }
      if (table.write(List.of(inForce(SecretItem.put(secret), secret).delete())).committed()) {
        parameters.delete(secret.parameter());
        return true;
      }
      Retries.pause("the removal of a secret", tries);
    }
  }

  private Map<String, Known> known(Map<String, Secret> secrets) {
    Map<String, String> values =
        parameters.values(secrets.values().stream().map(Secret::parameter).toList());
    Map<String, Known> known = new HashMap<>();
    secrets.forEach((name, secret) ->
        Optional.ofNullable(values.get(secret.parameter()))
            .ifPresent(value -> known.put(name, new Known(secret, value))));
    return known;
  }

  private boolean recorded(Secret fresh) {
    for (int tries = 1; ; tries++) {
      Secret old = find(fresh.workspace(), List.of(fresh.name())).get(fresh.name());
      Optional<Boolean> done = old == null ? added(fresh) : replaced(old, fresh);
      if (done.isPresent()) {
        return done.get();
      }
      Retries.pause("the change of a secret", tries);
    }
  }

  /// Empty: another request has changed it meanwhile.
  private Optional<Boolean> replaced(Secret old, Secret fresh) {
    if (!table.write(List.of(inForce(SecretItem.put(fresh), old).put())).committed()) {
      return Optional.empty();
    }
    parameters.delete(old.parameter());
    return Optional.of(true);
  }

  /// Empty: another request has added a secret meanwhile.
  private Optional<Boolean> added(Secret fresh) {
    QuotaLock register = QuotaLock.of(table, Layout.secretRegister(fresh.workspace()));
    if (list(fresh.workspace()).size() >= MOST) {
      return Optional.of(false);
    }
    List<Write> writes = List.of(SecretItem.put(fresh).put(), register.next());
    return table.write(writes).committed() ? Optional.of(true) : Optional.empty();
  }

  private static Change inForce(Change change, Secret secret) {
    return change
        .when("#parameter = :in_force")
        .with("in_force", SecretItem.PARAMETER, secret.parameter());
  }

  private static String unused(Workspace workspace, String name) {
    return "secrets/%s/%s/%s".formatted(workspace, name, UUID.randomUUID());
  }
}
