package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Sections 2.1 and 2.4: plans and files are captured from the sandbox and described.
@Section(number = "2.1, 2.4", title = "Plans and captured files")
final class PlansTest {
  private final Client client = Target.client();

  @Test
  void aPlanIsDescribedByAllItsFields() {
    SessionHandle session = client.create("printf '# Plan\\n' > PLAN.md; echo ok");
    session.first().reply();
    JsonNode plan = session.artifact(session.planArtifactIds().getFirst());
    assertEquals(
        Set.of(
            "id",
            "url",
            "file_name",
            "file_path",
            "file_size_in_kb",
            "mime_type",
            "kind",
            "plan_id",
            "created_at",
            "thread_id",
            "sha256",
            "url_expires_at"),
        ApiResponse.fields(plan));
    assertEquals("PLAN.md", plan.path("file_name").asText());
    assertEquals("/workspace/PLAN.md", plan.path("file_path").asText());
    assertEquals("text/markdown; charset=utf-8", plan.path("mime_type").asText());
    assertEquals("plan", plan.path("kind").asText());
    assertEquals(session.first().id(), plan.path("thread_id").asText());
    assertEquals("# Plan\n", PresignedLink.content(plan));
  }

  @Test
  void anyOtherFileIsAFileWithoutAPlanId() {
    SessionHandle session =
        client.create("head -c 1536 /dev/zero | tr '\\0' x > notes.txt; echo ok");
    session.first().reply();
    JsonNode file = session.artifactNamed("notes.txt");
    assertEquals("file", file.path("kind").asText());
    assertTrue(file.has("plan_id") && file.path("plan_id").isNull(), file::toString);
    assertEquals(1.5, file.path("file_size_in_kb").asDouble());
    assertTrue(session.planArtifactIds().isEmpty());
    assertEquals("x".repeat(1536), PresignedLink.content(file));
  }

  @Test
  void thePlansAreTheLatestOfEachWithTheOldestPlanFirst() {
    SessionHandle session = client.create("printf A1 > PLAN.md; echo ok");
    session.first().reply();
    String a1 = session.planArtifactIds().getFirst();
    session.send("mkdir plans; printf B > plans/b.md; echo ok").reply();
    String b1 = session.planArtifactIds().getLast();
    assertEquals(List.of(a1, b1), session.planArtifactIds());
    session.send("printf A2 > PLAN.md; echo ok").reply();
    String a2 = session.planArtifactIds().getFirst();
    assertEquals(List.of(a2, b1), session.planArtifactIds());
    assertNotEquals(a1, a2);
    assertEquals(
        List.of("A1", "B", "A2"),
        List.of(a1, b1, a2).stream()
            .map(id -> PresignedLink.content(session.artifact(id)))
            .toList());
  }

  @Test
  void iterationsOfAPlanShareItsPlanId() {
    SessionHandle session =
        client.create("printf A1 > PLAN.md; mkdir plans; printf B > plans/b.md; echo ok");
    session.first().reply();
    List<String> before = session.planArtifactIds();
    session.send("printf A2 > PLAN.md; echo ok").reply();
    List<String> after = session.planArtifactIds();
    int rewritten = before.get(0).equals(after.get(0)) ? 1 : 0;
    assertEquals(planId(session, before.get(rewritten)), planId(session, after.get(rewritten)));
    assertNotEquals(planId(session, before.get(0)), planId(session, before.get(1)));
  }

  @Test
  void whatATurnDidNotTouchIsNotCapturedAgain() {
    SessionHandle session = client.create("printf A > PLAN.md; printf x > x.txt; echo ok");
    session.first().reply();
    JsonNode before = ids(session.artifacts());
    session.send("cat x.txt").reply();
    assertEquals(before, ids(session.artifacts()));
  }

  @Test
  void aFailedTurnsFilesAreCapturedToo() {
    SessionHandle session = client.create("printf A > PLAN.md; exit 1");
    session.first().reply();
    assertEquals(
        "A", PresignedLink.content(session.artifact(session.planArtifactIds().getFirst())));
  }

  @Test
  void whatAnInterruptedTurnLeftIsCapturedByTheNext() {
    SessionHandle session = client.create("echo left | tee left.txt; echo and going on; sleep 300");
    session.first().awaitTranscript("left");
    TurnHandle second = session.send("echo ok");
    second.reply();
    assertEquals(second.id(), session.artifactNamed("left.txt").path("thread_id").asText());
  }

  @Test
  void aLinkOutOfTheSandboxIsNotFollowed() {
    SessionHandle session = client.create("ln -s /etc/passwd passwd; ln -s / root; echo ok");
    session.first().reply();
    assertEquals(0, session.artifacts().size());
  }

  @Test
  void atMostFortyAreRecordedPlansFirstAndTheTranscriptSaysSo() {
    SessionHandle session =
        client.create("for i in $(seq 50); do echo $i > f$i.txt; done; echo p > PLAN.md; echo ok");
    session.first().reply();
    assertEquals(40, session.artifacts().size());
    assertEquals(1, session.planArtifactIds().size());
    assertTrue(
        session.texts("?type=message&role=assistant").stream().anyMatch(t -> t.contains("40")));
  }

  private static String planId(SessionHandle session, String artifactId) {
    return session.artifact(artifactId).path("plan_id").asText();
  }

  private static JsonNode ids(JsonNode artifacts) {
    return Client.JSON.valueToTree(artifacts.findValuesAsText("id"));
  }
}
