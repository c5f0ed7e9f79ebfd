package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Route;
import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Section 5: a key opens one workspace, and what belongs to another workspace does not exist.
@Section(number = "5", title = "Keys and workspaces")
final class KeysAndWorkspacesTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void everyRouteButTheOpenOnesNeedsAKey() {
    for (Route route : Route.keyed()) {
      route.send(client.with(null)).refused(401, "UNAUTHORIZED");
    }
    client.with(null).get("/nowhere").refused(401, "UNAUTHORIZED");
    client.with(null).get("/health").ok();
    client.with(null).get("/openapi.yaml").expect(200);
  }

  @Tag("stack")
  @Test
  void everyBadKeyGetsTheSameAnswer() {
    JsonNode none = client.with(null).get("/agents").withoutRequestId();
    assertTrue(none.path("message").asText().contains("send it as Authorization: ApiKey ask_"));
    for (String header : badHeaders()) {
      ApiResponse answer = client.with(null).get("/agents", "Authorization", header);
      answer.refused(401, "UNAUTHORIZED");
      assertEquals("ApiKey", answer.header("WWW-Authenticate"), header);
      assertEquals(none, answer.withoutRequestId(), header);
      assertFalse(header.length() > 20 && answer.body().contains(header), header);
    }
  }

  @Tag("stack")
  @ParameterizedTest
  @ValueSource(strings = {"ApiKey ", "apikey ", "APIKEY "})
  void theSchemeIsCaseInsensitive(String scheme) {
    client.with(null).get("/agents", "Authorization", scheme + client.key()).ok();
  }

  @Test
  void aReplyLinkNeedsTheHeaderToo() {
    TurnHandle turn = client.create("echo hello").first();
    client.with(null).get(turn.link()).refused(401, "UNAUTHORIZED");
  }

  @Tag("stack")
  @Test
  void aSessionOfAnotherWorkspaceIsASessionThatDoesNotExist() {
    SessionHandle session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String artifact = session.planArtifactIds().getFirst();
    Client other = Target.otherClient();
    List<Route> foreign = Route.under(session.id(), session.first().id(), artifact);
    List<Route> unknown = Route.under(Client.unknownId(), session.first().id(), artifact);
    for (int i = 0; i < foreign.size(); i++) {
      ApiResponse answer = foreign.get(i).send(other);
      answer.refused(404, "NOT_FOUND");
      assertEquals(
          unknown.get(i).send(client).withoutRequestId(),
          answer.withoutRequestId(),
          foreign.get(i).toString());
    }
  }

  @Test
  void anotherWorkspaceChangesNothing() {
    SessionHandle session = client.create(SuiteTiming.A_WHILE + "; echo mine");
    for (Route route : Route.under(session.id(), session.first().id(), Client.unknownId())) {
      route.send(Target.otherClient()).refused(404, "NOT_FOUND");
    }
    assertEquals("mine", session.first().text().strip());
    assertEquals(1, session.messages("?role=user").path("items").size());
  }

  @Test
  void anIdThatIsNoUuidIsInvalidOnEveryRoute() {
    String id = Client.unknownId();
    for (Route route : Route.under("1-1-1-1-1", id, id)) {
      route.send(client).invalid("session_id");
    }
    client.get("/sessions/" + id + "/threads/1-1-1-1-1").invalid("thread_id");
    client.get("/sessions/" + id + "/threads/1-1-1-1-1/messages").invalid("thread_id");
    client.get("/sessions/" + id + "/artifacts/1-1-1-1-1").invalid("artifact_id");
  }

  private List<String> badHeaders() {
    String key = client.key();
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
