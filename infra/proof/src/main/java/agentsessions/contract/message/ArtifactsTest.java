package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Section 4.6: the records of artifacts, one by one and as a list.
@Section(number = "4.6", title = "Get and list artifacts")
final class ArtifactsTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void artifactsAreListedByKindPlanAndThread() {
    SessionHandle session = client.create("echo p > PLAN.md; echo f > f.txt; echo ok");
    session.first().reply();
    TurnHandle second = session.send("echo q > PLAN.md; echo ok");
    second.reply();
    String path = session.path() + "/artifacts";
    String latest = session.planArtifactIds().getFirst();
    String planId = session.artifact(latest).path("plan_id").asText();
    assertEquals(3, size(path));
    assertEquals(2, size(path + "?kind=plan"));
    assertEquals(1, size(path + "?kind=file"));
    assertEquals(2, size(path + "?plan_id=" + planId));
    assertEquals(1, size(path + "?thread_id=" + second.id()));
    client.get(path + "?kind=folder").invalid("kind");
    client.get(path + "?plan_id=1-1-1-1-1").invalid("plan_id");
  }

  @Test
  void anArtifactThatIsUnknownOrOfAnotherSessionIsNotFound() {
    SessionHandle session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String artifact = "/artifacts/" + session.planArtifactIds().getFirst();
    SessionHandle other = client.create("echo ok");
    for (String path :
        List.of(other.path() + artifact, session.path() + "/artifacts/" + Client.unknownId())) {
      JsonNode error = client.get(path).refused(404, "NOT_FOUND");
      assertEquals("Artifact not found", error.path("message").asText());
    }
    client.get("/sessions/" + Client.unknownId() + artifact).refused(404, "NOT_FOUND");
  }

  @Test
  void idsThatAreNoUuidsAreInvalid() {
    SessionHandle session = client.create("echo ok");
    client.get(session.path() + "/artifacts/1-1-1-1-1").invalid("artifact_id");
    client.get("/sessions/1-1-1-1-1/artifacts/" + Client.unknownId()).invalid("session_id");
  }

  @Test
  void anArtifactIdInUpperCaseIsTheSame() {
    SessionHandle session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String id = session.planArtifactIds().getFirst();
    assertEquals(id, session.artifact(id.toUpperCase(Locale.ROOT)).path("id").asText());
  }

  private int size(String path) {
    return client.get(path).ok().path("items").size();
  }
}
