package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Rules of kind `host`: the proxy of an agent's connections refuses one, or waits for a person.
/// The host is one where nobody listens, so that 502 is the answer of a connection that was
/// allowed.
@Section(number = "api", title = "Permissions of hosts")
final class HostPermissionsTest {
  private static final String HOST = Target.CLOSED_HOST;
  private static final String CONNECT =
      """
      exec 9<>"/dev/tcp/127.0.0.1/${HTTPS_PROXY##*:}"
      printf 'CONNECT %1$s HTTP/1.1\\r\\nHost: %1$s\\r\\n\\r\\n' >&9
      cat <&9
      """
          .formatted(HOST);

  private final Client client = Target.client();

  @BeforeEach
  void needAHost() {
    assumeTrue(Target.asksAboutHosts(client), "no host of the shell agent is judged here");
  }

  @Test
  void aDeniedHostIsRefusedAndTheTurnGoesOn() {
    String said =
        "The agent may not reach %s. The permissions of this session do not allow it (rule 1, kind host)."
            .formatted(HOST);
    for (String match : List.of("127.0.0.1", HOST)) {
      SessionHandle session = create("deny", match, 60);
      String reply = session.first().completed();
      assertTrue(reply.startsWith("HTTP/1.1 403") && reply.contains(said), reply);
      assertEquals(List.of(), requests(session));
    }
    String other = create("deny", "*.example.org", 60).first().completed();
    assertTrue(other.startsWith("HTTP/1.1 502"), other);
  }

  @Test
  void aPersonDecidesWhileTheConnectionWaits() {
    SessionHandle session = create("ask", "*", 900);
    JsonNode request = session.pending();
    assertEquals("permission true", request.path("kind").asText() + " " + request.path("enforced"));
    assertEquals(
        "{\"name\":\"connect\",\"kind\":\"host\",\"input\":{\"host\":\"127.0.0.1\",\"port\":9}}",
        request.path("tool").toString());
    assertEquals("requires_action", session.load().path("status").asText());
    client.decide(request, Map.of("decision", "deny", "note", "use the mirror")).ok();
    String denied = session.first().completed();
    assertTrue(denied.startsWith("HTTP/1.1 403"), denied);
    assertTrue(denied.contains("Denied: use the mirror"), denied);
  }

  @Test
  void whatIsAllowedForTheSessionIsNotAskedAgainUntilItIsTakenBack() {
    SessionHandle session = create("ask", "*", 900);
    client.decide(session.pending(), Map.of("decision", "allow_session")).ok();
    assertTrue(session.first().completed().startsWith("HTTP/1.1 502"));
    assertTrue(session.send(CONNECT).completed().startsWith("HTTP/1.1 502"));
    assertEquals(1, requests(session).size());
    JsonNode grant = client.get(session.path() + "/grants").ok().at("/items/0");
    assertEquals("connect " + HOST, grant.path("title").asText());
    client.delete(session.path() + "/grants/" + grant.path("id").asText()).expect(204);
    TurnHandle third = session.send(CONNECT);
    client.decide(session.pending(), Map.of("decision", "allow")).ok();
    assertTrue(third.completed().startsWith("HTTP/1.1 502"));
  }

  @Test
  void whatNobodyDecidesIsRefusedAndTheTurnGoesOn() {
    SessionHandle session = create("ask", "*", 0);
    String reply = session.first().completed();
    assertTrue(reply.contains("Nobody decided within 0 s."), reply);
    assertEquals(List.of("expired"), requests(session));
  }

  private SessionHandle create(String policy, String match, int holdSeconds) {
    Map<String, Object> rule = Map.of("kind", "host", "match", match, "policy", policy);
    Map<String, Object> permissions = Map.of("rules", List.of(rule), "hold_seconds", holdSeconds);
    return client.create(CONNECT, Map.of("permissions", permissions));
  }

  private List<String> requests(SessionHandle session) {
    JsonNode items = client.get(session.path() + "/requests").ok().path("items");
    return items.valueStream().map(item -> item.path("status").asText()).toList();
  }
}
