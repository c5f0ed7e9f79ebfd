package agentsessions.authorizer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.authorizer.wire.DynamoDbCalls;
import agentsessions.authorizer.wire.DynamoDbFault;
import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The authorizer's answers to good and bad keys, against DynamoDB's wire protocol on loopback, by
/// the function's own calls.
class AuthorizerTest {
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String METHOD =
      "arn:aws:execute-api:eu-central-1:123456789012:abc/v1/GET/rest/v1/sessions";

  final ApiKey key = ApiKey.create();
  WireDynamoDb wire;
  Authorizer authorizer;

  @BeforeEach
  void start() throws IOException {
    wire = new WireDynamoDb();
    authorizer = new Authorizer(keys(), Clock.fixed(NOW, ZoneOffset.UTC));
    wire.hold(record(null, null));
  }

  /// Who looks keys up.
  KeyLookup keys() {
    return new LambdaKeyLookup(DynamoDbCalls.of(wire.environment()), "table");
  }

  /// The fault of a look-up that failed.
  Class<? extends RuntimeException> fault() {
    return DynamoDbFault.class;
  }

  @AfterEach
  void stop() {
    wire.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ApiKey ", "apikey ", "APIKEY   "})
  void theKeyOpensItsWorkspaceHoweverTheSchemeIsWritten(String scheme) {
    assertEquals(
        Optional.of(new Principal("acme", key.id(), "usage", Set.of(Scope.READ))),
        authorizer.authenticate(scheme + key.text()));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "ApiKey", "ApiKey ", "Bearer x", "ApiKey x", "ApiKey ask_1_2_3"})
  void aMalformedHeaderIsRefusedUnseen(@Nullable String header) {
    assertEquals(Optional.empty(), authorizer.authenticate(header));
    assertTrue(wire.requests.isEmpty());
  }

  @Test
  void anotherSchemeIsRefused() {
    assertEquals(Optional.empty(), authorizer.authenticate("Bearer " + key.text()));
  }

  @Test
  void anUnknownKeyIsRefused() {
    assertEquals(Optional.empty(), authorizer.authenticate("ApiKey " + ApiKey.create().text()));
  }

  @Test
  void aKnownIdWithAnotherSecretIsRefused() {
    String forged = new ApiKey(key.id(), ApiKey.create().secret()).text();
    assertEquals(Optional.empty(), authorizer.authenticate("ApiKey " + forged));
  }

  @Test
  void aKeyIsGoodUntilItsLastSecondHasPassed() throws IOException {
    wire.hold(record(NOW.plusSeconds(1), null));
    assertTrue(authorizer.authenticate("ApiKey " + key.text()).isPresent());
    wire.hold(record(NOW, null));
    assertFalse(authorizer.authenticate("ApiKey " + key.text()).isPresent());
  }

  @Test
  void aRevokedKeyIsRefused() throws IOException {
    wire.hold(record(null, NOW.minusSeconds(1)));
    assertEquals(Optional.empty(), authorizer.authenticate("ApiKey " + key.text()));
  }

  @Test
  void aFaultOfDynamoDbIsAnErrorAndNotARefusal() {
    for (int i = 0; i < 20; i++) {
      wire.answers.add(WireDynamoDb.FAULT);
    }
    assertThrows(fault(), () -> authorizer.authenticate("ApiKey " + key.text()));
  }

  @Test
  void theSecretNeverLeavesTheProcess() {
    authorizer.authenticate("ApiKey " + key.text());
    assertFalse(wire.requests.toString().contains(key.secret()));
  }

  @Test
  void aGoodTokenIsAnsweredByAPolicyForTheWholeStage() throws IOException {
    JsonNode answer = handle("ApiKey " + key.text());
    JsonNode statement = answer.at("/policyDocument/Statement/0");
    assertEquals("Allow", statement.path("Effect").asText());
    assertEquals("execute-api:Invoke", statement.path("Action").asText());
    assertEquals(
        "arn:aws:execute-api:eu-central-1:123456789012:abc/v1/*",
        statement.path("Resource").asText());
  }

  @Test
  void aGoodTokenIsAnsweredByWorkspaceKeyAndUsageId() throws IOException {
    JsonNode answer = handle("ApiKey " + key.text());
    assertEquals(key.id(), answer.path("principalId").asText());
    assertEquals(
        JSON.valueToTree(Map.of("workspace", "acme", "key_id", key.id(), "scopes", "read")),
        answer.path("context"));
    assertEquals("usage", answer.path("usageIdentifierKey").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"scopes\":{\"S\":\"\"},", "\"scopes\":{\"S\":\"other\"},"})
  void aKeyWithoutAScopeOpensNothing(String scopes) {
    wire.hold(
        "KEY#" + key.id(),
        """
        {"PK":{"S":"KEY#%s"},"SK":{"S":"0"},"secret_hash":{"B":"%s"},"workspace":{"S":"acme"},
         "usage_id":{"S":"usage"},%s"name":{"S":"a"},"created_millis":{"N":"1"}}
        """
            .formatted(key.id(), key.secretHash(), scopes));
    assertEquals(Optional.empty(), authorizer.authenticate("ApiKey " + key.text()));
  }

  @Test
  void theHourOfAUseIsNotedOnceAnHour() throws IOException {
    handle("ApiKey " + key.text());
    assertEquals(
        "attribute_exists(PK) AND (attribute_not_exists(last_used_at) OR last_used_at < :hour)",
        wire.requests.getLast().path("ConditionExpression").asText());
    assertEquals(
        "SET last_used_at = :hour", wire.requests.getLast().path("UpdateExpression").asText());
    wire.hold(record(null, null, NOW.truncatedTo(ChronoUnit.HOURS)));
    int before = wire.requests.size();
    handle("ApiKey " + key.text());
    assertEquals(before + 1, wire.requests.size());
  }

  @Test
  void aUseThatCannotBeNotedIsAUse() throws IOException {
    wire.answers.add(new WireDynamoDb.Answer(200, wire.held("KEY#" + key.id())));
    wire.answers.add(new WireDynamoDb.Answer(400, "{\"__type\":\"AccessDeniedException\"}"));
    assertEquals(key.id(), handle("ApiKey " + key.text()).path("principalId").asText());
  }

  @Test
  void aBadTokenIsTheErrorThatTheGatewayKnows() {
    RuntimeException refusal = assertThrows(RuntimeException.class, () -> handle("ApiKey x"));
    assertEquals("Unauthorized", refusal.getMessage());
  }

  JsonNode handle(String token) throws IOException {
    byte[] event =
        JSON.writeValueAsBytes(
            Map.of(
                "type",
                "TOKEN",
                "extra",
                Map.of("nested", Map.of("authorizationToken", "no")),
                "authorizationToken",
                token,
                "methodArn",
                METHOD));
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    authorizer.handleRequest(new ByteArrayInputStream(event), output, NO_CONTEXT);
    return JSON.readTree(output.toString(UTF_8));
  }

  private KeyRecord record(@Nullable Instant expiresAt, @Nullable Instant revokedAt) {
    return record(expiresAt, revokedAt, null);
  }

  private KeyRecord record(
      @Nullable Instant expiresAt, @Nullable Instant revokedAt, @Nullable Instant lastUsedAt) {
    return new KeyRecord(
        key.id(),
        key.secretHash(),
        "acme",
        "usage",
        new Grant("a", Set.of(Scope.READ), expiresAt),
        NOW.minusSeconds(60),
        revokedAt,
        lastUsedAt);
  }

  private static final Context NO_CONTEXT =
      (Context)
          Proxy.newProxyInstance(
              Context.class.getClassLoader(),
              new Class<?>[] {Context.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });
}
