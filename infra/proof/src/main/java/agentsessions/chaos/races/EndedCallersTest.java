package agentsessions.chaos.races;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.SharedRig;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A key that has ended, and that the gateway lets pass for most of another minute, changes nothing
/// that anybody may do, and decides nothing.
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class EndedCallersTest {
  private static final Map<String, Object> SECRET =
      Map.of("value", "of-the-test", "hosts", List.of("one.example"));
  private static final Map<String, Object> HOOK = Map.of("url", "https://example.com/hook");
  private static final Map<String, Object> OWN_HOOK =
      Map.of("url", "https://example.com/own", "secret", "whsec_" + "A".repeat(32));
  private static final Map<String, Object> LIMITS = Map.of("turn", Map.of("max_tokens", 5));
  private static final Map<String, Object> ALLOW = Map.of("decision", "allow_session");

  private final Rig rig = SharedRig.STILL.rig();
  private final RigSession talk = new RigSession(rig, 1);
  private final Client admin = talk.client();

  private record Change(String method, String path, Map<String, ?> body) {
    ApiResponse by(Client client) {
      return client.send(method, path, body.isEmpty() ? null : Client.text(body));
    }
  }

  @Test
  void whatItWouldChangeStaysAsItIs() throws Exception {
    admin.put("/secrets/KEPT", SECRET).expect(204);
    String hook = "/webhooks/" + admin.post("/webhooks", HOOK).expect(201).text("/id");
    String other = admin.post("/keys", Map.of("name", "a")).expect(201).text("/id");
    ApiResponse asked = talk.runner(talk.create("true")).claimed().ask("one");
    admin.post(request(asked) + "/decision", ALLOW).expect(200);
    String grants = talk.path() + "/grants";
    String grant = grants + "/" + admin.get(grants).ok().at("/items/0/id").asText();
    String pending = request(talk.runner(talk.create("true")).claimed().ask("one"));
    List<Change> changes =
        List.of(
            new Change("POST", "/keys", Map.of("name", "successor")),
            new Change("PUT", "/secrets/KEPT", SECRET),
            new Change("PUT", "/secrets/FRESH", SECRET),
            new Change("DELETE", "/secrets/KEPT", Map.of()),
            new Change("POST", "/webhooks", HOOK),
            new Change("PATCH", hook, Map.of("is_enabled", false)),
            new Change("POST", hook + "/rotate", Map.of()),
            new Change("DELETE", hook, Map.of()),
            new Change("PUT", "/limits", Map.of("max_cost_usd_per_day", 1)),
            new Change("PATCH", talk.path(), Map.of("permissions", Map.of("default", "allow"))),
            new Change("PATCH", talk.path(), Map.of("limits", LIMITS)),
            new Change("POST", "/sessions", session("limits", LIMITS)),
            new Change("POST", "/sessions", session("webhook", OWN_HOOK)),
            new Change("POST", "/sessions", session("permissions", Map.of("default", "allow"))),
            new Change("POST", pending + "/decision", Map.of("decision", "deny")),
            new Change("DELETE", grant, Map.of()),
            new Change("DELETE", "/keys/" + other, Map.of()));
    List<JsonNode> before = all();
    for (Change change : changes) {
      change.by(ended()).refused(401, "UNAUTHORIZED");
    }
    assertEquals(before, all());
    Client live = holder(rig.service().createKey(talk.workspace()));
    for (Change change : changes) {
      ApiResponse answer = change.by(live);
      assertEquals(2, answer.status() / 100, answer::toString);
    }
  }

  /// With a key that the gateway knows, and that is ended where nobody tells the gateway.
  private Client ended() {
    String key = rig.service().createKey(talk.workspace());
    Client holder = holder(key);
    holder.get(talk.path()).expect(200);
    new WorkspaceKeys(rig.table(), "agent-sessions")
        .end(talk.workspace(), ApiKey.parse(key).orElseThrow().id());
    holder.get(talk.path()).expect(200); // or the gateway would refuse what follows
    return holder;
  }

  private Client holder(String key) {
    return Client.of(rig.service().baseUrl(), List.of(key));
  }

  private List<JsonNode> all() {
    return Stream.concat(
            Stream.of("/secrets", "/webhooks", "/limits", talk.path(), "/requests")
                .map(path -> admin.get(path).ok()),
            StreamSupport.stream(admin.get("/keys").ok().path("items").spliterator(), false)
                .filter(key -> key.path("revoked_at").isNull()))
        .toList();
  }

  private static Map<String, Object> session(String right, Object value) {
    return Map.of("agent_name", "shell", "message", "true", right, value);
  }

  private String request(ApiResponse asked) {
    return talk.path() + "/requests/" + asked.expect(200).text("/id");
  }
}
