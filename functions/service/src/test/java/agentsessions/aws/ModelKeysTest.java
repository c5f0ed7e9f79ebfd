package agentsessions.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.session.Agent;
import agentsessions.session.Engine;
import io.micronaut.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;

/// The keys that may be read from the models' secret.
class ModelKeysTest {
  private static final String KEYS =
      """
      {"ANTHROPIC_API_KEY": "one", "OPENAI_API_KEY": "two"}
      """;

  @Test
  void anAgentIsGivenWhatItsModelNames() {
    Agent claude =
        new Agent(
            "claude",
            "",
            Duration.ofHours(1),
            Engine.LAMBDA,
            Map.of(
                "model",
                Map.of(
                    "url",
                    "${ANTHROPIC_BASE_URL:-https://localhost}",
                    "headers",
                    Map.of("x-api-key", "${ANTHROPIC_API_KEY}"))));
    assertEquals(Set.of("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"), claude.modelNames());
    assertEquals(Map.of("ANTHROPIC_API_KEY", "one"), keys(KEYS).named(claude.modelNames()));
  }

  @Test
  void aBadSecretIsQuotedNowhere() {
    ModelKeys keys = keys("not JSON: hidden-value");
    UncheckedIOException bad =
        assertThrows(UncheckedIOException.class, () -> keys.named(Set.of("ANY")));
    StringWriter trace = new StringWriter();
    bad.printStackTrace(new PrintWriter(trace));
    assertFalse(trace.toString().contains("hidden"), trace.toString());
  }

  private static ModelKeys keys(String secret) {
    return new ModelKeys(
        new OneSecret(secret), JsonMapper.createDefault(), Clock.systemUTC(), "secret");
  }

  private record OneSecret(String text) implements SecretsManagerClient, AwsStandIn {
    @Override
    public GetSecretValueResponse getSecretValue(GetSecretValueRequest request) {
      return GetSecretValueResponse.builder().secretString(text).build();
    }
  }
}
