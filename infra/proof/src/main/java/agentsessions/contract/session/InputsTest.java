package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The inputs of a session: files, variables, secrets and a setup script, as an agent finds them.
@Section(number = "api", title = "Files and environment")
final class InputsTest {
  private static final String VALUE = "the-value-of-a-secret";

  private final Client client = Target.client();

  @Test
  void filesOfAMessageAreThereAndAreNoArtifacts() {
    String bytes = Base64.getEncoder().encodeToString(new byte[] {0, 1, -1});
    SessionHandle session =
        client.create(
            "cat notes/a.txt; od -An -tu1 bytes; stat -c %a notes/a.txt; cp notes/a.txt made",
            Map.of(
                "files",
                List.of(
                    Map.of("path", "notes/a.txt", "content", "hällo\n"),
                    Map.of("path", "bytes", "content_base64", bytes))));
    assertEquals("hällo\n   0   1 255\n644", session.first().text());
    assertEquals(List.of("made"), session.artifacts().findValuesAsText("file_name"));
    String artifact = session.artifactNamed("made").path("id").asText();
    SessionHandle other =
        client.create("cat from", file(Map.of("path", "from", "artifact_id", artifact)));
    assertEquals("hällo", other.first().text());
    Map<String, ?> replaced = file(Map.of("path", "from", "content", "replaced"));
    assertEquals("replaced", other.send("cat from", replaced).text());
    assertEquals("replaced", other.send("cat from").text());
  }

  @Test
  void aUserMessageShowsTheFilesThatItBroughtAlsoOneThatWaits() {
    SessionHandle session =
        client.create(SuiteTiming.A_WHILE, file(Map.of("path", "a", "content", "ä")));
    Map<String, Object> work = new HashMap<>(file(Map.of("path", "b/c", "content", "bytes")));
    work.put("on_running", "queue");
    TurnHandle next = session.send("true", work);
    JsonNode waiting = client.get(session.path() + "/threads/" + next.id() + "/messages").ok();
    assertEquals(1, waiting.path("items").size());
    assertEquals("b/c", waiting.at("/items/0/files/0/path").asText());
    next.completed();
    session.send("true").completed();
    List<String> shown = new ArrayList<>();
    for (JsonNode message : session.messages("").path("items")) {
      shown.add(message.path("role").asText() + message.path("files"));
    }
    String user = "user[{\"path\":\"%s\",\"size\":%d}]";
    assertEquals(
        List.of(
            user.formatted("a", 2),
            "assistant",
            user.formatted("b/c", 5),
            "assistant",
            "user[]",
            "assistant"),
        shown);
  }

  @Tag("stack")
  @Test
  void anUploadIsGivenOnceItHasArrived() {
    JsonNode upload =
        client.post("/uploads", Map.of("file_name", "a", "size", 300_000)).expect(201).json();
    Map<String, ?> work = file(Map.of("path", "in/large", "upload_id", upload.path("id").asText()));
    refused("files[0].upload_id", work);
    assertEquals(200, PresignedLink.upload(upload, "x".repeat(300_000)));
    SessionHandle session = client.create("wc -c < in/large; tail -c 3 in/large", work);
    assertEquals("300000\nxxx", session.first().text());
    assertEquals(0, session.artifacts().size());
    Client other = Target.otherClient();
    Map<String, Object> body = new HashMap<>(work);
    body.put("agent_name", "shell");
    body.put("message", "x");
    other.post("/sessions", body).invalid("files[0].upload_id");
  }

  @Tag("stack")
  @Test
  void anUploadIsGivenWithAMessageThatWaits() {
    JsonNode upload =
        client.post("/uploads", Map.of("file_name", "a", "size", 4)).expect(201).json();
    assertEquals(200, PresignedLink.upload(upload, "test"));
    SessionHandle session = client.create(SuiteTiming.A_WHILE);
    Map<String, Object> work =
        new HashMap<>(file(Map.of("path", "in/a", "upload_id", upload.path("id").asText())));
    work.put("on_running", "queue");
    assertEquals("test", session.send("cat in/a", work).text());
  }

  @Test
  void aFileIsWrittenThroughNoLinkAndReplacesNoFolder() {
    SessionHandle session = client.create("ln -s /tmp link; mkdir folder; echo ok");
    session.first().reply();
    for (String path : List.of("link/x", "folder")) {
      JsonNode error =
          session
              .send("true", file(Map.of("path", path, "content", "x")))
              .ended()
              .at("/thread/error");
      assertEquals("FILE_UNAVAILABLE", error.path("code").asText(), path);
      assertTrue(error.path("message").asText().contains(path), error::toString);
    }
    assertEquals("going on", session.send("echo going on").text());
  }

  @Tag("stack")
  @Test
  void variablesAndSecretsAreGivenAndASecretIsMaskedInAllThatIsSaid() {
    assumeTrue(Target.trusts(), "needs a service that gives secrets: CONTRACT_TRUSTS=true");
    client.put("/secrets/GIVEN", Map.of("value", VALUE, "environment", true)).expect(204);
    Map<String, ?> environment =
        Map.of("variables", Map.of("COLOUR", "blue", "LANG", "fr_FR"), "secrets", List.of("GIVEN"));
    SessionHandle session =
        client.create(
            "echo $COLOUR $LANG ${#GIVEN} $GIVEN; echo error $GIVEN >&2; exit 1",
            Map.of("environment", environment));
    String closing = session.first().text();
    assertFalse(closing.contains(VALUE), closing);
    assertTrue(closing.contains("***"), closing);
    assertEquals("blue fr_FR 21 ***", session.send("echo $COLOUR $LANG ${#GIVEN} $GIVEN").text());
    JsonNode shown = session.load().path("environment");
    assertEquals("[\"COLOUR\",\"LANG\"]", shown.path("variables").toString());
    assertEquals("[\"GIVEN\"]", shown.path("secrets").toString());
    assertFalse(session.messages("?type=message&type=final_message").toString().contains(VALUE));
  }

  @Test
  void aSecretThatIsGoneEndsTheTurnAndIsReadAnewAtTheNext() {
    assumeTrue(Target.trusts(), "needs a service that gives secrets: CONTRACT_TRUSTS=true");
    client.put("/secrets/LOST", Map.of("value", VALUE, "environment", true)).expect(204);
    SessionHandle session =
        client.create("echo ok", Map.of("environment", Map.of("secrets", List.of("LOST"))));
    session.first().reply();
    client.send("DELETE", "/secrets/LOST", null).expect(204);
    JsonNode error = session.send("echo ok").ended().at("/thread/error");
    assertEquals("SECRET_UNAVAILABLE", error.path("code").asText());
    assertFalse(error.path("retryable").asBoolean());
    client.put("/secrets/LOST", Map.of("value", "another-value", "environment", true)).expect(204);
    assertEquals("13", session.send("echo ${#LOST}").text());
  }

  @Test
  void setupRunsOnceAndItsOutputIsInTheTranscript() {
    SessionHandle session =
        client.create(
            "cat count; cat given",
            Map.of(
                "environment",
                Map.of("setup", "echo setting up; echo run >> count; cp in given"),
                "files",
                List.of(Map.of("path", "in", "content", "a file"))));
    assertEquals("run\na file", session.first().text());
    assertTrue(session.texts("?type=message").toString().contains("setting up"));
    assertEquals("run", session.send("cat count").text());
    assertEquals(0, session.artifacts().size());
  }

  @Test
  void setupThatFailsFailsTheTurnInItsOwnWords() {
    SessionHandle session =
        client.create(
            "true", Map.of("environment", Map.of("setup", "echo no such package; exit 3")));
    JsonNode error = session.first().ended().at("/thread/error");
    assertEquals("SETUP_FAILED", error.path("code").asText());
    assertTrue(error.path("message").asText().contains("no such package"), error::toString);
  }

  @Test
  void whatCannotBeGivenIsRefusedByField() {
    Map.<String, Map<String, ?>>of(
            "files[0].path", file(Map.of("path", "../x", "content", "")),
            "files[0]", file(Map.of("path", "x")),
            "files[0].content_base64", file(Map.of("path", "x", "content_base64", "%")),
            "files[0].artifact_id", file(Map.of("path", "x", "artifact_id", Client.unknownId())),
            "environment.variables.PATH", variable("PATH"),
            "environment.variables.https_proxy", variable("https_proxy"),
            "environment.variables.UID", variable("UID"),
            "environment.secrets[0]", Map.of("environment", Map.of("secrets", List.of("NOBODYS"))),
            "model", Map.of("model", "any"))
        .forEach(this::refused);
  }

  private void refused(String field, Map<String, ?> work) {
    Map<String, Object> body = new HashMap<>(work);
    body.put("agent_name", "shell");
    body.put("message", "x");
    client.post("/sessions", body).invalid(field);
  }

  private static Map<String, ?> variable(String name) {
    return Map.of("environment", Map.of("variables", Map.of(name, "x")));
  }

  private static Map<String, ?> file(Map<String, ?> file) {
    return Map.of("files", List.of(file));
  }
}
