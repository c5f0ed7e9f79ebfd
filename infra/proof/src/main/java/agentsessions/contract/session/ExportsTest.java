package agentsessions.contract.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The export of a session: one file that holds everything, with a list of its contents.
@Section(number = "api", title = "Exports")
final class ExportsTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void anExportHoldsEveryFileAndItsManifestSaysWhich() throws Exception {
    SessionHandle session =
        client.create("echo p > PLAN.md; head -c 9000000 /dev/urandom > big; echo ok");
    session.first().reply();
    session.send("echo q > PLAN.md; echo again").reply();
    Map<String, byte[]> files = download(ready(session));
    JsonNode manifest = Client.JSON.readTree(files.remove("manifest.json"));
    Map<String, String> sums = new TreeMap<>();
    Map<String, String> artifacts = new TreeMap<>();
    for (JsonNode file : manifest.path("files")) {
      sums.put(file.path("path").asText(), file.path("sha256").asText());
      if (file.has("artifact_id")) {
        artifacts.put(file.path("artifact_id").asText(), file.path("sha256").asText());
      }
    }
    assertEquals(sums(files), sums);
    assertEquals(recorded(session), artifacts);
    assertEquals(3, artifacts.size());
    assertEquals(session.id(), manifest.path("session_id").asText());
    assertEquals("[]", manifest.path("left_out").toString());
  }

  @Test
  void anExportHoldsTheHistoryForProgramsAndForPeople() throws Exception {
    SessionHandle session = client.create("echo first; sleep 1; echo second");
    session.first().reply();
    session
        .send("echo again", Map.of("files", List.of(Map.of("path", "a.txt", "content", "abc"))))
        .reply();
    session.send("exit 3").reply();
    Map<String, byte[]> files = download(ready(session));
    JsonNode history = Client.JSON.readTree(files.get("history.json"));
    assertEquals(session.load(), history.path("session"));
    assertEquals(
        client.get(session.path() + "/threads").ok().path("items").findValuesAsText("status"),
        history.path("threads").findValuesAsText("status"));
    JsonNode everything =
        session.messages("?limit=100&type=message&type=tool_call&type=final_message");
    assertEquals(everything.path("items"), history.path("messages"));
    String page = new String(files.get("history.md"), UTF_8);
    for (String part :
        Set.of(
            "## Turn 1: completed",
            "## Turn 3: failed",
            "echo again\n\n- File: `a.txt`, 3 bytes\n",
            "second")) {
      assertTrue(page.contains(part), page);
    }
  }

  @Test
  void thereIsOneExportUntilTheSessionChanges() {
    SessionHandle session = client.create("echo ok");
    session.first().reply();
    JsonNode export = ready(session);
    assertEquals(export.path("id"), ask(session).expect(200).json().path("id"));
    assertTrue(export.path("url").asText().contains("X-Amz-Expires=518400"), export::toString);
    client.send("PATCH", session.path(), "{\"title\":\"new\"}").ok();
    JsonNode other = ready(session);
    assertNotEquals(export.path("id"), other.path("id"));
    assertEquals(200, PresignedLink.download(export.path("url").asText()).statusCode());
  }

  @Test
  void anExportIsOfItsSessionAndWorkspaceOnly() {
    SessionHandle session = client.create("echo ok");
    session.first().reply();
    String path = "/exports/" + ready(session).path("id").asText();
    Client other = Target.otherClient();
    other.get(session.path() + path).refused(404, "NOT_FOUND");
    other.send("POST", session.path() + "/exports", null).refused(404, "NOT_FOUND");
    SessionHandle another = client.create("echo ok");
    for (String unknown :
        Set.of(another.path() + path, session.path() + "/exports/" + Client.unknownId())) {
      JsonNode error = client.get(unknown).refused(404, "NOT_FOUND");
      assertEquals("Export not found", error.path("message").asText());
    }
    client.get(session.path() + "/exports/1-1-1-1-1").invalid("export_id");
  }

  @Test
  void anExportGoesWithItsSession() {
    SessionHandle session = client.create("echo ok");
    session.first().reply();
    JsonNode export = ready(session);
    client.send("DELETE", session.path(), null).expect(204);
    client.get(session.path() + "/exports/" + export.path("id").asText()).refused(404, "NOT_FOUND");
    ask(session).refused(404, "NOT_FOUND");
    String link = export.path("url").asText();
    SuiteTiming.until(
        "the end of the link",
        () ->
            Optional.of(PresignedLink.download(link).statusCode()).filter(status -> status != 200));
  }

  private ApiResponse ask(SessionHandle session) {
    return client.send("POST", session.path() + "/exports", null);
  }

  private JsonNode ready(SessionHandle session) {
    JsonNode asked = ask(session).expect(202).json();
    assertEquals(Set.of("id", "status"), ApiResponse.fields(asked));
    String path = session.path() + "/exports/" + asked.path("id").asText();
    JsonNode ended =
        SuiteTiming.until(
            "an export",
            () ->
                Optional.of(client.get(path).ok())
                    .filter(export -> !export.path("status").asText().equals("working")));
    assertEquals("ready", ended.path("status").asText());
    return ended;
  }

  private static Map<String, byte[]> download(JsonNode export) throws IOException {
    byte[] bytes = PresignedLink.download(export.path("url").asText()).body();
    Map<String, byte[]> files = new TreeMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), zip.readAllBytes());
      }
    }
    assertEquals(
        Set.of("history.json", "history.md", "requests.json", "manifest.json"),
        new TreeSet<>(files.keySet().stream().filter(name -> !name.contains("/")).toList()));
    return files;
  }

  private static Map<String, String> recorded(SessionHandle session) {
    Map<String, String> recorded = new TreeMap<>();
    for (JsonNode artifact : session.artifacts()) {
      recorded.put(artifact.path("id").asText(), artifact.path("sha256").asText());
    }
    return recorded;
  }

  private static Map<String, String> sums(Map<String, byte[]> files) throws Exception {
    Map<String, String> sums = new TreeMap<>();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(file.getValue());
      sums.put(file.getKey(), HexFormat.of().formatHex(sum));
    }
    return sums;
  }
}
