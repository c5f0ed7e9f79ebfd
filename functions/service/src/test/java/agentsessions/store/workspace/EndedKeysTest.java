package agentsessions.store.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.aws.AwsStandIn;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryParameters;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.ParameterStore;
import agentsessions.aws.UsagePlanKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.apigateway.ApiGatewayClient;
import software.amazon.awssdk.services.apigateway.model.ApiKey;
import software.amazon.awssdk.services.apigateway.model.DeleteApiKeyRequest;
import software.amazon.awssdk.services.apigateway.model.DeleteApiKeyResponse;
import software.amazon.awssdk.services.apigateway.model.GetApiKeysRequest;
import software.amazon.awssdk.services.apigateway.model.GetApiKeysResponse;
import software.amazon.awssdk.services.apigateway.model.GetUsagePlanKeysRequest;
import software.amazon.awssdk.services.apigateway.model.GetUsagePlanKeysResponse;
import software.amazon.awssdk.services.apigateway.model.UsagePlanKey;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The ended keys are removed from the usage plan by and by, since the gateway has room for 10,000
/// keys of an account.
class EndedKeysTest {
  private final Instant now = Instant.now();
  private final Instant longAgo = now.minus(Duration.ofDays(2));

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final Gateway gateway = new Gateway();
  private final ApiKeys api =
      new ApiKeys(
          new WorkspaceKeys(table, InMemoryAws.TABLE),
          new UsagePlanKeys(gateway, new ParameterStore(new InMemoryParameters(), "/here"), "plan"),
          Clock.fixed(now, ZoneOffset.UTC));

  @Test
  void whatHasEndedIsForgottenAndNothingElse() {
    String live = made("live", null, false);
    String ends = made("ends", now.plusSeconds(60), false);
    made("ended", now.minusSeconds(60), false);
    made("revoked", null, true);
    gateway.add("never came to be", longAgo, true);
    gateway.add("is being made", now, true);
    gateway.add("another stack's", longAgo, false);
    assertEquals(new ApiKeys.Tidied(4, 3), api.tidy(() -> true));
    assertEquals(Set.of(live, ends, "is being made", "another stack's"), gateway.names());
    assertEquals(new ApiKeys.Tidied(4, 0), api.tidy(() -> true));
  }

  @Test
  void theRestIsLeftToTheNextTimeWhereThereIsNone() {
    made("one", now.minusSeconds(60), false);
    made("two", now.minusSeconds(60), false);
    List<Boolean> time = new ArrayList<>(List.of(true, false));
    assertEquals(new ApiKeys.Tidied(1, 1), api.tidy(time::removeFirst));
  }

  private String made(String id, @Nullable Instant end, boolean revoked) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("PK", AttributeValue.fromS("KEY#" + id));
    item.put("SK", AttributeValue.fromS("0"));
    item.put("secret_hash", AttributeValue.fromB(SdkBytes.fromUtf8String("hash")));
    item.put("workspace", AttributeValue.fromS("w"));
    item.put("usage_id", AttributeValue.fromS("usage"));
    item.put("name", AttributeValue.fromS("a"));
    item.put("scopes", AttributeValue.fromS("read"));
    item.put("created_millis", AttributeValue.fromN(Long.toString(longAgo.toEpochMilli())));
    if (end != null) {
      item.put("ends_at", seconds(end));
    }
    if (revoked) {
      item.put("revoked_at", seconds(now));
    }
    table.contents().put(new InMemoryTable.Key("KEY#" + id, "0"), item);
    gateway.add(id, longAgo, true);
    return id;
  }

  private static AttributeValue seconds(Instant time) {
    return AttributeValue.fromN(Long.toString(time.getEpochSecond()));
  }

  /// The gateway, in pages of two keys.
  private static final class Gateway implements ApiGatewayClient, AwsStandIn {
    private final Map<String, Key> keys = new TreeMap<>();
    private int made;

    private record Key(String name, Instant created, boolean planned) {}

    void add(String name, Instant created, boolean planned) {
      keys.put("k" + made++, new Key(name, created, planned));
    }

    Set<String> names() {
      return new TreeSet<>(keys.values().stream().map(Key::name).toList());
    }

    @Override
    public GetApiKeysResponse getApiKeys(GetApiKeysRequest request) {
      List<String> page = page(request.position(), List.copyOf(keys.keySet()));
      return GetApiKeysResponse.builder()
          .items(page.stream().map(this::described).toList())
          .position(page.size() < 2 ? null : page.getLast())
          .build();
    }

    @Override
    public GetUsagePlanKeysResponse getUsagePlanKeys(GetUsagePlanKeysRequest request) {
      List<String> planned =
          keys.entrySet().stream()
              .filter(key -> key.getValue().planned())
              .map(Map.Entry::getKey)
              .toList();
      List<String> page = page(request.position(), planned);
      return GetUsagePlanKeysResponse.builder()
          .items(page.stream().map(id -> UsagePlanKey.builder().id(id).build()).toList())
          .position(page.size() < 2 ? null : page.getLast())
          .build();
    }

    @Override
    public DeleteApiKeyResponse deleteApiKey(DeleteApiKeyRequest request) {
      keys.remove(request.apiKey());
      return DeleteApiKeyResponse.builder().build();
    }

    private static List<String> page(@Nullable String after, List<String> ids) {
      return ids.stream().filter(id -> after == null || id.compareTo(after) > 0).limit(2).toList();
    }

    private ApiKey described(String id) {
      Key key = keys.getOrDefault(id, new Key("", Instant.EPOCH, false));
      return ApiKey.builder().id(id).name(key.name()).createdDate(key.created()).build();
    }
  }
}
