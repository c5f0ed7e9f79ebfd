package agentsessions.aws;

import agentsessions.table.Retries;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.ssm.SsmClient;
import software.amazon.awssdk.services.ssm.model.GetParametersResponse;
import software.amazon.awssdk.services.ssm.model.ParameterAlreadyExistsException;
import software.amazon.awssdk.services.ssm.model.ParameterNotFoundException;
import software.amazon.awssdk.services.ssm.model.ParameterTier;
import software.amazon.awssdk.services.ssm.model.ParameterType;

/// Small secrets of this deployment in Parameter Store, encrypted there: SecureStrings of the
/// standard tier below a path of the stack's own, each up to 4 KiB.
@Singleton
public final class ParameterStore {
  /// The most names in one call.
  private static final int MOST_AT_ONCE = 10;

  private final SsmClient client;
  private final String path;

  public ParameterStore(SsmClient client, @Property(name = "parameters") String path) {
    this.client = client;
    this.path = path;
  }

  /// The name of this deployment, by which its resources are distinguished from others.
  String deployment() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /// Makes a parameter; false where there is one of that name already, which stays as it is.
  public boolean make(String name, String value) {
    try {
      Retries.call(
          "PutParameter",
          () ->
              client.putParameter(put ->
                  put.name(full(name))
                      .value(value)
                      .type(ParameterType.SECURE_STRING)
                      .tier(ParameterTier.STANDARD)
                      .overwrite(false)));
      return true;
    } catch (ParameterAlreadyExistsException there) {
      return false;
    }
  }

  /// The values of these parameters; one that does not exist is missing.
  public Map<String, String> values(Collection<String> names) {
    List<String> all = List.copyOf(names);
    Map<String, String> values = new HashMap<>();
    for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
      values.putAll(some(all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE))));
    }
    return values;
  }

  /// Removes a parameter; one that is not there is as good as removed.
  public void delete(String name) {
    try {
      Retries.call(
          "DeleteParameter", () -> client.deleteParameter(delete -> delete.name(full(name))));
    } catch (ParameterNotFoundException gone) {
      return;
    }
  }

  private Map<String, String> some(List<String> names) {
    List<String> full = names.stream().map(this::full).toList();
    GetParametersResponse found =
        Retries.call(
            "GetParameters",
            () -> client.getParameters(get -> get.names(full).withDecryption(true)));
    Map<String, String> values = new HashMap<>();
    found
        .parameters()
        .forEach(each -> values.put(each.name().substring(path.length() + 1), each.value()));
    return values;
  }

  private String full(String name) {
    return path + "/" + name;
  }
}
