package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Keys are made, listed and revoked by clients with the scope `admin`.
@Section(number = "5", title = "Keys by API")
final class ApiKeysTest {
  private static final int MOST = 50;

  private final Client client = Target.client();
  private final AdminClient admin = AdminClient.of(client);

  @Tag("stack")
  @Test
  void aNewKeyOpensTheWorkspaceAndIsShownOnce() {
    ApiResponse answer = client.post("/keys", Map.of("name", "Nightly build")).expect(201);
    assertEquals("no-store", answer.header("Cache-Control"));
    JsonNode made = answer.json();
    Client holder = client.with(made.path("key").asText());
    JsonNode me = holder.get("/me").ok();
    assertEquals(client.get("/me").ok().path("workspace"), me.path("workspace"));
    assertEquals(made.path("id"), me.path("key_id"));
    assertEquals("Nightly build", me.path("name").asText());
    assertEquals("[\"read\",\"write\"]", me.path("scopes").toString());
    ApiResponse list = client.get("/keys");
    assertFalse(list.body().contains(made.path("key").asText()));
    assertTrue(made.path("revoked_at").isNull() && listed(made).path("revoked_at").isNull());
    List<String> times = list.ok().path("items").findValuesAsText("created_at");
    assertEquals(times.stream().sorted(Comparator.reverseOrder()).toList(), times, "newest first");
    SuiteTiming.until( // a note that takes too long is left out
        "a note of its use",
        () -> {
          holder.get("/me").ok();
          return Optional.of(listed(made)).filter(key -> !key.path("last_used_at").isNull());
        });
    admin.revoke(made.path("id").asText());
  }

  @Test
  void aKeyEndsAfterItsDays() {
    JsonNode made =
        client.post("/keys", Map.of("name", "a", "expires_in_days", 90)).expect(201).json();
    Duration life =
        Duration.between(
            Instant.parse(made.path("created_at").asText()),
            Instant.parse(made.path("expires_at").asText()));
    assertEquals(90, life.plusSeconds(30).toDays());
    admin.revoke(made.path("id").asText());
  }

  @Tag("stack")
  @Test
  void onlyAKeyThatMayDecideMakesOneThatMay() {
    Map<String, Object> deciding = Map.of("name", "a", "scopes", List.of("read", "decide"));
    String refused =
        admin
            .with("read", "write", "admin")
            .post("/keys", Map.of("scopes", List.of("decide"))) // before the name it lacks
            .refused(403, "FORBIDDEN")
            .path("message")
            .asText();
    assertEquals(
        "This key lacks the scope \"decide\": only a key that has it makes keys that have it",
        refused);
    JsonNode made = admin.with("admin", "decide").post("/keys", deciding).expect(201).json();
    assertEquals("[\"read\",\"decide\"]", made.path("scopes").toString());
    admin.revoke(made.path("id").asText());
  }

  @Test
  void aRevokedKeyIsRefusedWithinAMinute() {
    JsonNode made = admin.made("read");
    Client holder = client.with(made.path("key").asText());
    holder.get("/me").ok();
    admin.revoke(made.path("id").asText());
    admin.revoke(made.path("id").asText());
    Await.await("401 of a revoked key", Duration.ofMinutes(1), SuiteTiming.PERIOD)
        .until(() -> holder.get("/me").status() == 401);
    assertFalse(listed(made).path("revoked_at").isNull());
  }

  /// Also where the gateway still lets it pass, by an answer that it keeps.
  @Tag("stack")
  @Test
  void aRevokedKeyChangesNoRightsFromThenOn() {
    JsonNode made = admin.made("read", "write", "admin");
    Client holder = client.with(made.path("key").asText());
    holder.get("/me").ok();
    JsonNode other = admin.made("read");
    admin.revoke(made.path("id").asText());
    Map<String, Object> secret = Map.of("value", "of-nobody", "hosts", List.of("one.example"));
    Map<String, Object> limits = Map.of("max_cost_usd_per_day", 1);
    for (ApiResponse answer :
        List.of(
            holder.post("/keys", Map.of("name", "successor")),
            holder.delete("/keys/" + other.path("id").asText()),
            holder.put("/secrets/OF_NOBODY", secret),
            holder.post("/webhooks", Map.of("url", "https://example.com/hook")),
            holder.put("/limits", limits))) {
      answer.refused(401, "UNAUTHORIZED");
    }
    JsonNode keys = client.get("/keys").ok().path("items");
    assertFalse(keys.findValuesAsText("name").contains("successor"));
    assertTrue(listed(other).path("revoked_at").isNull());
    admin.revoke(other.path("id").asText());
  }

  @Test
  void theListSaysWhichKeyMadeAKey() {
    JsonNode maker = admin.made("read", "admin");
    JsonNode made =
        client
            .with(maker.path("key").asText())
            .post("/keys", Map.of("name", "made"))
            .expect(201)
            .json();
    assertEquals(maker.path("id"), made.path("made_by"));
    assertEquals(maker.path("id"), listed(made).path("made_by"));
    admin.revoke(made.path("id").asText());
    admin.revoke(maker.path("id").asText());
  }

  @Tag("stack")
  @Test
  void aRevokedKeyThatWasNeverUsedIsRefusedAtOnce() {
    JsonNode made = admin.made("read");
    admin.revoke(made.path("id").asText());
    client.with(made.path("key").asText()).get("/me").refused(401, "UNAUTHORIZED");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | name",
        "{\"name\":\" \"} | name",
        "{\"name\":5} | name",
        "{\"name\":\"a\",\"scopes\":[]} | scopes",
        "{\"name\":\"a\",\"scopes\":\"read\"} | scopes",
        "{\"name\":\"a\",\"scopes\":[\"all\"]} | scopes",
        "{\"name\":\"a\",\"scopes\":[\"read\",1]} | scopes",
        "{\"name\":\"a\",\"expires_in_days\":0} | expires_in_days",
        "{\"name\":\"a\",\"expires_in_days\":3651} | expires_in_days",
        "{\"name\":\"a\",\"expires_in_days\":1.5} | expires_in_days",
        "{\"name\":\"a\",\"expires_in_days\":1e400} | expires_in_days",
        "{\"name\":\"a\",\"expires_in_days\":\"1\"} | expires_in_days"
      })
  void whatCannotBeMadeIsRefusedByField(String body, String field) {
    client.send("POST", "/keys", body).invalid(field);
  }

  @Test
  void aNameHasAtMostHundredCharacters() {
    admin.revoke(
        client
            .post("/keys", Map.of("name", "😀".repeat(100)))
            .expect(201)
            .json()
            .path("id")
            .asText());
    client.post("/keys", Map.of("name", "x".repeat(101))).invalid("name");
  }

  @Test
  void noWorkspaceSeesOrEndsTheKeysOfAnother() {
    JsonNode made = admin.made("read");
    Client other = AdminClient.of(Target.otherClient()).client();
    other.send("DELETE", "/keys/" + made.path("id").asText(), null).refused(404, "NOT_FOUND");
    assertFalse(other.get("/keys").body().contains(made.path("id").asText()));
    client.with(made.path("key").asText()).get("/me").ok();
  }

  @Tag("stack")
  @Test
  void theLastKeyThatAdministersIsNotRevoked() {
    Optional<Client> lone = Target.loneClient();
    assumeTrue(lone.isPresent(), "needs a workspace in which nobody else makes keys");
    Client alone = AdminClient.of(lone.orElseThrow()).client();
    JsonNode soon =
        alone
            .post("/keys", Map.of("name", "a", "scopes", List.of("admin"), "expires_in_days", 1))
            .expect(201)
            .json();
    String id = alone.get("/me").ok().path("key_id").asText();
    alone.send("DELETE", "/keys/" + id, null).refused(409, "LAST_ADMIN_KEY");
    alone.get("/me").ok();
    new AdminClient(alone).revoke(soon.path("id").asText());
  }

  @Test
  void theFiftyFirstLiveKeyIsTooMany() {
    Client full = AdminClient.of(Target.otherClient()).client();
    List<String> made = new ArrayList<>();
    ApiResponse answer = full.post("/keys", Map.of("name", "a"));
    for (; answer.status() == 201; answer = full.post("/keys", Map.of("name", "a"))) {
      made.add(answer.json().path("id").asText());
    }
    answer.refused(409, "TOO_MANY_KEYS");
    assertEquals(MOST, live(full));
    new AdminClient(full).revoke(made.getFirst());
    assertNotEquals(MOST, live(full));
    if (!Target.makesKeys()) { // others use the workspace, too
      made.stream().skip(1).forEach(new AdminClient(full)::revoke);
    }
  }

  private static long live(Client client) {
    return StreamSupport.stream(client.get("/keys").ok().path("items").spliterator(), false)
        .filter(key -> key.path("revoked_at").isNull())
        .count();
  }

  private JsonNode listed(JsonNode made) {
    return StreamSupport.stream(client.get("/keys").ok().path("items").spliterator(), false)
        .filter(key -> key.path("id").equals(made.path("id")))
        .findFirst()
        .orElseThrow();
  }
}
