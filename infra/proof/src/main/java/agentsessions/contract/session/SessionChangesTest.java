package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Changes of a session's title, metadata and archiving, and its deletion with all of its data.
@Section(number = "api", title = "Change and delete a session")
final class SessionChangesTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void onlyTheFieldsThatAreSentAreChanged() {
    SessionHandle session = client.create("echo ok");
    session.first().reply();
    patch(session, "{\"title\":\"one\",\"metadata\":{\"a\":\"1\",\"b\":\"2\"}}").ok();
    JsonNode changed = patch(session, "{\"title\":\"two\"}").ok();
    assertEquals("two", changed.path("title").asText());
    assertEquals("{\"a\":\"1\",\"b\":\"2\"}", changed.path("metadata").toString());
    assertEquals(changed, session.load());
  }

  @Test
  void metadataIsReplacedWholeAndNullClears() {
    SessionHandle session = client.create("echo ok");
    patch(session, "{\"title\":\"one\",\"metadata\":{\"a\":\"1\"}}").ok();
    JsonNode replaced = patch(session, "{\"metadata\":{\"b\":\"2\"}}").ok();
    assertEquals("{\"b\":\"2\"}", replaced.path("metadata").toString());
    JsonNode cleared = patch(session, "{\"title\":null,\"metadata\":null}").ok();
    assertTrue(cleared.path("title").isNull(), cleared::toString);
    assertEquals("{}", cleared.path("metadata").toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"title\":5} | title",
        "{\"is_archived\":\"yes\"} | is_archived",
        "{\"metadata\":\"x\"} | metadata",
        "{\"metadata\":{\"k\":null}} | metadata.k"
      })
  void aChangeOfTheWrongTypeIsRefusedAndChangesNothing(String body, String field) {
    SessionHandle session = client.create("echo ok");
    session.first().reply();
    JsonNode before = session.load();
    patch(session, body).invalid(field);
    assertEquals(before, session.load());
  }

  @Test
  void aFollowUpBringsAnArchivedSessionBack() {
    SessionHandle session = client.create("echo ok");
    session.first().reply();
    assertTrue(patch(session, "{\"is_archived\":true}").ok().path("is_archived").asBoolean());
    assertEquals("back", session.send("echo back").text().strip());
    assertFalse(session.load().path("is_archived").asBoolean());
  }

  @Tag("stack")
  @Test
  void aDeletedSessionIsGoneWithAllItHas() {
    SessionHandle session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String artifact = session.planArtifactIds().getFirst();
    assertEquals("", delete(session).expect(204).body());
    for (String path :
        List.of(
            "",
            "/messages",
            "/threads",
            "/threads/" + session.first().id(),
            "/artifacts",
            "/artifacts/" + artifact)) {
      client.get(session.path() + path).refused(404, "NOT_FOUND");
    }
    client.get(session.first().link()).refused(404, "NOT_FOUND");
    client.post(session.path() + "/messages", Map.of("message", "x")).refused(404, "NOT_FOUND");
    delete(session).refused(404, "NOT_FOUND");
  }

  @Tag("stack")
  @Test
  void aSessionCanBeDeletedWhileItsAgentWorks() {
    SessionHandle session = client.create("sleep 300");
    session.first().running();
    delete(session).expect(204);
    client.get(session.first().link()).refused(404, "NOT_FOUND");
    assertFalse(client.get("/sessions").ok().toString().contains(session.id()));
  }

  @Test
  void theLinksOfADeletedSessionsFilesEnd() {
    SessionHandle session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String url = session.artifact(session.planArtifactIds().getFirst()).path("url").asText();
    delete(session).expect(204);
    SuiteTiming.until(
        "the end of " + url,
        () -> Optional.of(PresignedLink.download(url)).filter(r -> r.statusCode() == 404));
  }

  private ApiResponse patch(SessionHandle session, String body) {
    return client.send("PATCH", session.path(), body);
  }

  private ApiResponse delete(SessionHandle session) {
    return client.send("DELETE", session.path(), null);
  }
}
