package agentsessions.aws;

import agentsessions.table.Retries;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.apigateway.ApiGatewayClient;
import software.amazon.awssdk.services.apigateway.model.ApiKey;
import software.amazon.awssdk.services.apigateway.model.NotFoundException;
import software.amazon.awssdk.services.apigateway.model.UsagePlanKey;

/// The keys of API Gateway's usage plan: for each API key a random usage id, under the key's id as
/// its name. The gateway never learns a secret.
@Singleton
public final class UsagePlanKeys {
  private static final String PLAN = "usage-plan";

  /// The tag of this service's keys: only keys that have it may be deleted.
  private static final String TAG = "agent-sessions";

  /// The largest page that API Gateway has.
  private static final int PAGE = 500;

  private final ApiGatewayClient client;
  private final ParameterStore parameters;
  private volatile String known;

  /// @param plan the plan's id; empty: it is read from the parameter `usage-plan`, for a function
  ///   that cannot be given it
  public UsagePlanKeys(
      ApiGatewayClient client,
      ParameterStore parameters,
      @Property(name = "usage.plan", defaultValue = "") String plan) {
    this.client = client;
    this.parameters = parameters;
    this.known = plan;
  }

  /// Adds a key to the plan. A repeat adds another of the same name; both are removed with the key.
  public void add(String keyId, String usageId) {
    String plan = plan();
    String id =
        Retries.call(
                "CreateApiKey",
                () ->
                    client.createApiKey(create ->
                        create
                            .name(keyId)
                            .value(usageId)
                            .enabled(true)
                            .tags(Map.of(TAG, parameters.deployment()))))
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

  /// A key of API Gateway in this account.
  ///
  /// @param id of the gateway
  /// @param name for a key of this plan, the id of the API key
  public record Known(String id, String name, Instant createdAt) {}

  /// All keys of API Gateway in this account, whose number is bounded, and the ids of those in this
  /// plan.
  public record All(List<Known> keys, Set<String> planned) {
    public List<Known> ofPlan() {
      return keys.stream().filter(key -> planned.contains(key.id())).toList();
    }
  }

  public All all() {
    String plan = plan();
    Set<String> planned =
        Retries.call(
            "GetUsagePlanKeys",
            () ->
                client
                    .getUsagePlanKeysPaginator(get -> get.usagePlanId(plan).limit(PAGE))
                    .items()
                    .stream()
                    .map(UsagePlanKey::id)
                    .collect(Collectors.toSet()));
    return new All(
        Retries.call(
            "GetApiKeys",
            () ->
                client.getApiKeysPaginator(get -> get.limit(PAGE)).items().stream()
                    .map(key -> new Known(key.id(), key.name(), key.createdDate()))
                    .toList()),
        planned);
  }

  /// Removes a key from the plan.
  public void remove(String keyId) {
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

  public void delete(String id) {
    try {
      Retries.call("DeleteApiKey", () -> client.deleteApiKey(delete -> delete.apiKey(id)));
    } catch (NotFoundException gone) {
      return;
    }
  }
}
