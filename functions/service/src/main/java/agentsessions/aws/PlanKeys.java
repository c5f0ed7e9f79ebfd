package agentsessions.aws;

import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.apigateway.ApiGatewayClient;
import software.amazon.awssdk.services.apigateway.model.ApiKey;
import software.amazon.awssdk.services.apigateway.model.NotFoundException;

/// What the usage plan knows of a key: a random usage id, under the key's id as its name. It never
/// learns a secret.
@Singleton
public final class PlanKeys {
  private static final String PLAN = "usage-plan";

  private final ApiGatewayClient client;
  private final Parameters parameters;
  private volatile String known;

  /// @param plan its id; empty: the parameter `usage-plan` has it, where the function cannot name
  ///   it
  PlanKeys(
      ApiGatewayClient client,
      Parameters parameters,
      @Property(name = "usage.plan", defaultValue = "") String plan) {
    this.client = client;
    this.parameters = parameters;
    this.known = plan;
  }

  /// Makes the plan know a key. A repeat makes another of the same name; both go with the key.
  void add(String keyId, String usageId) {
    String plan = plan();
    String id =
        Retries.call(
                "CreateApiKey",
                () ->
                    client.createApiKey(create -> create.name(keyId).value(usageId).enabled(true)))
            .id();
    try {
      Retries.call(
          "CreateUsagePlanKey",
          () ->
              client.createUsagePlanKey(
                  create -> create.usagePlanId(plan).keyId(id).keyType("API_KEY")));
    } catch (RuntimeException fault) {
      delete(id);
      throw fault;
    }
  }

  /// Makes the plan forget a key.
  void remove(String keyId) {
    named(keyId).forEach(this::delete);
  }

  private String plan() {
    if (known.isEmpty()) {
      known =
          Optional.ofNullable(parameters.values(List.of(PLAN)).get(PLAN))
              .orElseThrow(() -> new IllegalStateException("no parameter " + PLAN));
    }
    return known;
  }

  private List<String> named(String name) {
    return Retries.call("GetApiKeys", () -> client.getApiKeys(get -> get.nameQuery(name)))
        .items()
        .stream()
        .filter(key -> key.name().equals(name))
        .map(ApiKey::id)
        .toList();
  }

  private void delete(String id) {
    try {
      Retries.call("DeleteApiKey", () -> client.deleteApiKey(delete -> delete.apiKey(id)));
    } catch (NotFoundException gone) {
      return;
    }
  }
}
