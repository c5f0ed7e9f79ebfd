package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Secrets are stored, and no answer contains their values.
@Section(number = "api", title = "Secrets of a workspace")
final class SecretsTest {
  private static final int MOST = 100;
  private static final int BEFORE_THE_NEXT_KEY = 50;

  private final Client client = Target.client();

  SecretsTest() {
    AdminClient.of(client);
  }

  @Tag("stack")
  @Test
  void aSecretIsListedWithoutItsValue() {
    put("TOKEN_A", Map.of("value", "hunter2", "hosts", List.of("Git.Example.org", "b.org:8443")))
        .expect(204);
    put("TOKEN_B", Map.of("value", "hunter3", "environment", true)).expect(204);
    assertFalse(client.get("/secrets").body().contains("hunter"));
    assertEquals(
        "[\"git.example.org\",\"b.org:8443\"]", listed("TOKEN_A").path("hosts").toString());
    assertFalse(listed("TOKEN_A").path("environment").asBoolean());
    assertTrue(listed("TOKEN_B").path("environment").asBoolean());
    assertEquals("[]", listed("TOKEN_B").path("hosts").toString());
  }

  @Test
  void aSecretIsReplacedWhole() {
    put("CHANGED", Map.of("value", "a", "hosts", List.of("a.org"), "environment", true));
    put("CHANGED", Map.of("value", "b")).expect(204);
    assertEquals("[]", listed("CHANGED").path("hosts").toString());
    assertFalse(listed("CHANGED").path("environment").asBoolean());
  }

  @Tag("stack")
  @Test
  void aDeletedSecretIsGoneAndItsNameFree() {
    put("GONE", Map.of("value", "a")).expect(204);
    client.send("DELETE", "/secrets/GONE", null).expect(204);
    client.send("DELETE", "/secrets/GONE", null).refused(404, "NOT_FOUND");
    assertFalse(client.get("/secrets").body().contains("GONE"));
    put("GONE", Map.of("value", "b")).expect(204);
  }

  @Test
  void noWorkspaceSeesTheSecretsOfAnother() {
    put("MINE", Map.of("value", "a")).expect(204);
    Client other = AdminClient.of(Target.otherClient()).client();
    assertFalse(other.get("/secrets").body().contains("MINE"));
    other.send("DELETE", "/secrets/MINE", null).refused(404, "NOT_FOUND");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lower", "1A", "_A", "A-B"})
  void aNameIsThatOfAVariable(String name) {
    put(name, Map.of("value", "a")).invalid("name");
    client.send("DELETE", "/secrets/" + name, null).invalid("name");
  }

  @Test
  void theLimitsHoldToTheByte() {
    put("A".repeat(64), Map.of("value", "a")).expect(204);
    put("A".repeat(65), Map.of("value", "a")).invalid("name");
    put("LONG", Map.of("value", "é".repeat(2048))).expect(204);
    put("LONG", Map.of("value", "é".repeat(2048) + "a")).invalid("value");
    put("HOSTS", Map.of("value", "a", "hosts", hosts(20))).expect(204);
    put("HOSTS", Map.of("value", "a", "hosts", hosts(21))).invalid("hosts");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | value",
        "{\"value\":\"\"} | value",
        "{\"value\":5} | value",
        "{\"value\":\"a{{b}}\"} | value",
        "{\"value\":\"a\\u0000b\"} | value",
        "{\"value\":\"a\",\"hosts\":\"a.org\"} | hosts",
        "{\"value\":\"a\",\"hosts\":[\"https://a.org\"]} | hosts",
        "{\"value\":\"a\",\"hosts\":[\"*.a.org\"]} | hosts",
        "{\"value\":\"a\",\"hosts\":[\"a.org:70000\"]} | hosts",
        "{\"value\":\"a\",\"hosts\":[\"a b\"]} | hosts",
        "{\"value\":\"a\",\"environment\":\"yes\"} | environment"
      })
  void whatCannotBeKeptIsRefusedByField(String body, String field) {
    client.send("PUT", "/secrets/REFUSED", body).invalid(field);
    assertFalse(client.get("/secrets").body().contains("REFUSED"));
  }

  /// With several keys, since each allows 100 requests a minute.
  @Test
  void theHundredAndFirstIsTooManyButAChangeIsNot() {
    Client full = Target.otherClient();
    AdminClient admin = AdminClient.of(full);
    Client hand = admin.with("admin");
    for (int number = 0; number < MOST; number++) {
      hand = number % BEFORE_THE_NEXT_KEY == 0 ? admin.with("admin") : hand;
      hand.put("/secrets/S" + number, Map.of("value", "a")).expect(204);
    }
    full.put("/secrets/MORE", Map.of("value", "a")).refused(409, "TOO_MANY_SECRETS");
    full.put("/secrets/S1", Map.of("value", "b")).expect(204);
    full.send("DELETE", "/secrets/S1", null).expect(204);
    full.put("/secrets/MORE", Map.of("value", "a")).expect(204);
  }

  private ApiResponse put(String name, Map<String, ?> body) {
    return client.put("/secrets/" + name, body);
  }

  private JsonNode listed(String name) {
    return StreamSupport.stream(client.get("/secrets").ok().path("items").spliterator(), false)
        .filter(secret -> secret.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> hosts(int count) {
    return IntStream.range(0, count).mapToObj(n -> "h" + n + ".org").toList();
  }
}
