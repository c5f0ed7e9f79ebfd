package agentsessions.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.apigateway.ApiGatewayClient;
import software.amazon.awssdk.services.apigateway.model.CreateApiKeyRequest;
import software.amazon.awssdk.services.apigateway.model.CreateApiKeyResponse;
import software.amazon.awssdk.services.apigateway.model.CreateUsagePlanKeyRequest;
import software.amazon.awssdk.services.apigateway.model.CreateUsagePlanKeyResponse;

/// An account has one list of keys for all its stacks.
class UsagePlanKeysTest {
  private final List<CreateApiKeyRequest> made = new ArrayList<>();
  private final UsagePlanKeys plan =
      new UsagePlanKeys(
          new Gateway(),
          new ParameterStore(new InMemoryParameters(), "/agent-sessions/ours"),
          "plan");

  @Test
  void aKeyIsMadeWithTheTagByWhichItMayBeDeleted() {
    plan.add("id", "usage");
    assertEquals(Map.of("agent-sessions", "ours"), made.getFirst().tags());
  }

  private final class Gateway implements ApiGatewayClient, AwsStandIn {
    @Override
    public CreateApiKeyResponse createApiKey(CreateApiKeyRequest request) {
      made.add(request);
      return CreateApiKeyResponse.builder().id("one").build();
    }

    @Override
    public CreateUsagePlanKeyResponse createUsagePlanKey(CreateUsagePlanKeyRequest request) {
      return CreateUsagePlanKeyResponse.builder().build();
    }
  }
}
