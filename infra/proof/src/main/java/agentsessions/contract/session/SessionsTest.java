package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Sections 2.1, 4.1 and 4.4: a session is created with a first message and can be loaded again
/// later.
@Section(number = "4.1, 4.4", title = "Create and load a session")
final class SessionsTest {
  private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  private final Client client = Target.client();

  @Test
  void aCreatedSessionHasAnIdAndALinkToPoll() {
    SessionHandle session = client.create("echo hello");
    assertTrue(session.id().matches(UUID), session.id());
    assertTrue(session.first().link().startsWith(client.base() + session.path() + "/"));
  }

  @Tag("stack")
  @Test
  void creatingAnswers201AndTheSessionsLocation() {
    ApiResponse answer =
        client.post("/sessions", Map.of("agent_name", "shell", "message", "echo hello"));
    String self = answer.expect(201).json().at("/_links/self/href").asText();
    assertEquals(self, answer.header("Location"));
    assertEquals(answer.json().path("id"), client.get(self).ok().path("id"));
  }

  @Test
  void aLoadedSessionHasAllItsFields() {
    JsonNode session = client.create("echo hello").load();
    assertEquals(
        Set.of(
            "id",
            "agent_name",
            "title",
            "status",
            "is_archived",
            "metadata",
            "plan_artifact_ids",
            "thread_id",
            "running_thread_id",
            "pending_requests",
            "job",
            "created_at",
            "updated_at",
            "source_url",
            "session_group_id",
            "is_private",
            "pull_requests",
            "model",
            "repositories",
            "environment",
            "usage",
            "limits",
            "permissions",
            "session_html_url",
            "_links"),
        ApiResponse.fields(session));
    assertEquals("shell", session.path("agent_name").asText());
    assertTrue(session.path("is_archived").isBoolean());
    assertTrue(session.path("thread_id").asText().matches(UUID));
    assertTrue(session.path("created_at").asText().matches(TIME));
    assertTrue(session.path("updated_at").asText().matches(TIME));
  }

  @Tag("stack")
  @Test
  void everyLinkOfASessionCanBeFollowed() {
    SessionHandle session = client.create("echo hello");
    JsonNode links = session.load().path("_links");
    assertEquals(
        Set.of("self", "messages", "thread", "final_message", "latest_final_message"),
        ApiResponse.fields(links));
    for (JsonNode link : links) {
      client.get(link.path("href").asText()).ok();
    }
  }

  @Test
  void theCreatedAndTheLoadedSessionAreTheSameResource() {
    SessionHandle session = client.create("sleep 1");
    Set<String> created = ApiResponse.fields(session.created());
    assertTrue(created.remove("warnings"), "of the request");
    assertEquals(ApiResponse.fields(session.load()), created);
    assertEquals(session.load().path("_links"), session.created().path("_links"));
  }

  @Test
  void aSessionWithoutPlansHasAnEmptyListOfThem() {
    assertEquals("[]", client.create("echo hello").load().path("plan_artifact_ids").toString());
  }

  @Test
  void titleAndMetadataComeBackAsGiven() {
    JsonNode session =
        client
            .post(
                "/sessions",
                Map.of(
                    "agent_name", "shell",
                    "message", "echo hello",
                    "title", "Grüße 😀",
                    "metadata", Map.of("ticket", "A-1", "ünï", "😀")))
            .expect(201)
            .json();
    JsonNode loaded = client.get("/sessions/" + session.path("id").asText()).ok();
    assertEquals("Grüße 😀", loaded.path("title").asText());
    assertEquals(
        Client.JSON.valueToTree(Map.of("ticket", "A-1", "ünï", "😀")), loaded.path("metadata"));
  }

  /// The first line has 81 characters, of which the 80th is the last that fits and takes two units
  /// of UTF-16.
  @Test
  void withoutATitleItIsTheFirstLineOfTheFirstMessage() {
    String line = "# " + "x".repeat(77) + "😀";
    JsonNode made = client.create("\n \n" + line + "y \necho hello").load();
    assertEquals(line, made.path("title").asText());
    assertEquals("echo hello", client.create("echo hello").created().path("title").asText());
  }

  @Test
  void nullAndAbsentMeanTheSame() {
    String body =
        "{\"agent_name\":\"shell\",\"message\":\"echo hello\",\"title\":null,\"metadata\":null}";
    client.send("POST", "/sessions", body).expect(201);
    String noAgent = "{\"agent_name\":null,\"message\":\"echo hello\"}";
    client.send("POST", "/sessions", noAgent).invalid("agent_name");
  }

  @Test
  void aSessionIsWorkingUntilItsTurnHasEnded() {
    SessionHandle session = client.create(SuiteTiming.A_WHILE + "; echo done");
    assertEquals("working", session.created().path("status").asText());
    assertEquals("working", session.load().path("status").asText());
    session.first().reply();
    assertEquals("idle", session.load().path("status").asText());
  }

  @Test
  void theLatestLinkMovesOnAndTheFirstStays() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    TurnHandle second = session.send("echo two");
    JsonNode links = session.load().path("_links");
    assertEquals(session.first().link(), links.at("/final_message/href").asText());
    assertEquals(second.link(), links.at("/latest_final_message/href").asText());
    assertEquals(second.id(), session.load().path("thread_id").asText());
  }

  @Test
  void anIdInUpperCaseIsTheSameId() {
    SessionHandle session = client.create("echo hello");
    session.first().reply(); // or it could change between the two
    JsonNode loaded = client.get("/sessions/" + session.id().toUpperCase(Locale.ROOT)).ok();
    assertEquals(session.load(), loaded);
  }

  @Test
  void eachSessionIsItsOwn() {
    SessionHandle one = client.create("echo mine > note; cat note");
    one.first().reply();
    SessionHandle other = client.create("cat note 2>&1 || echo nothing here");
    assertNotEquals(one.id(), other.id());
    assertTrue(other.first().text().endsWith("nothing here"), other.first().text());
  }
}
