package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Section 5: a key opens one workspace, and what belongs to another workspace does not exist.
final class KeysAndWorkspacesTest {
  private record Route(String method, String path, @Nullable String body) {}

  private final Client client = Target.client();

  @Test
  void everyRouteButTheOpenOnesNeedsAKey() {
    for (Route route : routes(Client.unknownId(), Client.unknownId(), Client.unknownId())) {
      send(client.with(null), route).refused(401, "UNAUTHORIZED");
    }
    for (String path : List.of("/agents", "/me", "/sessions", "/nowhere")) {
      client.with(null).get(path).refused(401, "UNAUTHORIZED");
    }
    client.with(null).get("/health").ok();
    client.with(null).get("/openapi.yaml").expect(200);
  }

  @Test
  void everyBadKeyGetsTheSameAnswer() {
    JsonNode none = client.with(null).get("/agents").withoutRequestId();
    for (String header : badHeaders()) {
      Answer answer = client.with(null).get("/agents", "Authorization", header);
      answer.refused(401, "UNAUTHORIZED");
      assertEquals("ApiKey", answer.header("WWW-Authenticate"), header);
      assertEquals(none, answer.withoutRequestId(), header);
      assertFalse(header.length() > 20 && answer.body().contains(header), header);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ApiKey ", "apikey ", "APIKEY "})
  void theSchemeIsCaseInsensitive(String scheme) {
    client.with(null).get("/agents", "Authorization", scheme + client.key()).ok();
  }

  @Test
  void aReplyLinkNeedsTheHeaderToo() {
    Turn turn = client.create("echo hello").first();
    client.with(null).get(turn.link()).refused(401, "UNAUTHORIZED");
  }

  @Test
  void aSessionOfAnotherWorkspaceIsASessionThatDoesNotExist() {
    Session session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String artifact = session.planArtifactIds().getFirst();
    Client other = Target.otherClient();
    List<Route> foreign = routes(session.id(), session.first().id(), artifact);
    List<Route> unknown = routes(Client.unknownId(), session.first().id(), artifact);
    for (int i = 0; i < foreign.size(); i++) {
      Answer answer = send(other, foreign.get(i));
      answer.refused(404, "NOT_FOUND");
      assertEquals(
          send(client, unknown.get(i)).withoutRequestId(),
          answer.withoutRequestId(),
          foreign.get(i).toString());
    }
  }

  @Test
  void anotherWorkspaceChangesNothing() {
    Session session = client.create("sleep 2; echo mine");
    for (Route route : routes(session.id(), session.first().id(), Client.unknownId())) {
      send(Target.otherClient(), route).refused(404, "NOT_FOUND");
    }
    assertEquals("mine", session.first().text().strip());
    assertEquals(1, session.messages("?role=user").path("items").size());
  }

  @Test
  void anIdThatIsNoUuidIsInvalidOnEveryRoute() {
    String id = Client.unknownId();
    for (Route route : routes("1-1-1-1-1", id, id)) {
      send(client, route).invalid("session_id");
    }
    client.get("/sessions/" + id + "/threads/1-1-1-1-1").invalid("thread_id");
    client.get("/sessions/" + id + "/threads/1-1-1-1-1/messages").invalid("thread_id");
    client.get("/sessions/" + id + "/artifacts/1-1-1-1-1").invalid("artifact_id");
  }

  private static List<Route> routes(String session, String thread, String artifact) {
    String path = "/sessions/" + session;
    List<Route> routes = new ArrayList<>();
    for (String read :
        List.of(
            "",
            "/messages",
            "/threads",
            "/threads/" + thread,
            "/threads/" + thread + "/messages",
            "/threads/" + thread + "/messages?type=final_message&role=assistant",
            "/artifacts",
            "/artifacts/" + artifact)) {
      routes.add(new Route("GET", path + read, null));
    }
    routes.add(new Route("POST", path + "/messages", "{\"message\":\"echo intruder\"}"));
    routes.add(new Route("POST", path + "/interrupt", null));
    routes.add(new Route("PATCH", path, "{\"title\":\"intruder\"}"));
    routes.add(new Route("DELETE", path, null));
    return routes;
  }

  private static Answer send(Client client, Route route) {
    return client.send(route.method(), route.path(), route.body());
  }

  private List<String> badHeaders() {
    String key = String.valueOf(client.key());
    char last = key.charAt(key.length() - 1) == '0' ? '1' : '0';
    char secret = key.charAt(30) == '0' ? '1' : '0';
    return List.of(
        "ApiKey",
        "ApiKey x",
        "Bearer " + key,
        "Basic eDp5",
        key,
        "ApiKey " + key.substring(0, key.length() - 1) + last,
        "ApiKey " + key.substring(0, 30) + secret + key.substring(31),
        "ApiKey " + key + key,
        "ApiKey ask_0000000000000000_0000000000000000000000000000000000000000000_000000",
        "ApiKey ask_" + "0".repeat(4000));
  }
}
