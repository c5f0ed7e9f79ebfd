package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sections 2.1, 2.4 and 4.6: plans and files are captured from the sandbox, described and
/// downloaded.
final class ArtifactsTest {
  private static final Pattern FILE_NAME = Pattern.compile("filename\\*=UTF-8''([^;]*)");

  private final Client client = Target.client();

  @Test
  void aPlanIsDescribedByAllItsFields() {
    Session session = client.create("printf '# Plan\\n' > PLAN.md; echo ok");
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
        Answer.fields(plan));
    assertEquals("PLAN.md", plan.path("file_name").asText());
    assertEquals("/workspace/PLAN.md", plan.path("file_path").asText());
    assertEquals("text/markdown", plan.path("mime_type").asText());
    assertEquals("plan", plan.path("kind").asText());
    assertEquals(session.first().id(), plan.path("thread_id").asText());
    assertEquals("# Plan\n", text(plan));
  }

  @Test
  void anyOtherFileIsAFileWithoutAPlanId() {
    Session session = client.create("head -c 1536 /dev/zero | tr '\\0' x > notes.txt; echo ok");
    session.first().reply();
    JsonNode file = session.artifactNamed("notes.txt");
    assertEquals("file", file.path("kind").asText());
    assertTrue(file.has("plan_id") && file.path("plan_id").isNull(), file::toString);
    assertEquals(1.5, file.path("file_size_in_kb").asDouble());
    assertTrue(session.planArtifactIds().isEmpty());
    assertEquals("x".repeat(1536), text(file));
  }

  @Test
  void thePlansAreTheLatestOfEachWithTheOldestPlanFirst() {
    Session session = client.create("printf A1 > PLAN.md; echo ok");
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
        List.of(a1, b1, a2).stream().map(id -> text(session.artifact(id))).toList());
  }

  @Test
  void iterationsOfAPlanShareItsPlanId() {
    Session session =
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
    Session session = client.create("printf A > PLAN.md; printf x > x.txt; echo ok");
    session.first().reply();
    JsonNode before = ids(session.artifacts());
    session.send("cat x.txt").reply();
    assertEquals(before, ids(session.artifacts()));
  }

  @Test
  void aFailedTurnsFilesAreCapturedToo() {
    Session session = client.create("printf A > PLAN.md; exit 1");
    session.first().reply();
    assertEquals("A", text(session.artifact(session.planArtifactIds().getFirst())));
  }

  @Test
  void whatAnInterruptedTurnLeftIsCapturedByTheNext() {
    Session session = client.create("printf left > left.txt; sleep 60");
    session.first().running();
    Await.pause(Duration.ofSeconds(1));
    Turn second = session.send("echo ok");
    second.reply();
    assertEquals(second.id(), session.artifactNamed("left.txt").path("thread_id").asText());
  }

  @Test
  void aLinkIsPresignedForSixDays() {
    JsonNode plan = plan();
    assertTrue(plan.path("url").asText().contains("X-Amz-Expires=518400"), plan::toString);
    Duration valid =
        Duration.between(Instant.now(), Instant.parse(plan.path("url_expires_at").asText()));
    assertTrue(valid.minusDays(6).abs().compareTo(Duration.ofMinutes(2)) < 0, valid::toString);
    assertFalse(plan.path("url").asText().contains("X-Amz-Security-Token"));
  }

  @Test
  void aLinkIsForItsOwnObjectAndNoOther() {
    String url = plan().path("url").asText();
    assertEquals(200, Client.download(url).statusCode());
    for (String part : List.of("X-Amz-Signature=", "X-Amz-Date=", "X-Amz-Credential=")) {
      assertEquals(403, Client.download(changedAfter(part, url)).statusCode(), part);
    }
    String longer = url.replace("X-Amz-Expires=518400", "X-Amz-Expires=518401");
    assertEquals(403, Client.download(longer).statusCode());
    assertNotEquals(200, Client.download(url.substring(0, url.indexOf('?'))).statusCode());
  }

  @Test
  void theLinkTellsNothingOfWhoseFileItIs() {
    Session session = client.create("printf A > secret-name.txt; echo ok");
    session.first().reply();
    String url = session.artifactNamed("secret-name.txt").path("url").asText();
    assertFalse(url.substring(0, url.indexOf('?')).contains("secret-name"), url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b.txt",
        "quote\"s.txt",
        "apostrophe's.txt",
        "ünï€😀.txt",
        "semi;colon,comma.txt",
        "100%25.txt",
        "plus+and&.txt",
        "back\\slash.txt",
        "#hash?question.txt",
        "-dash",
        "new\nline.txt"
      })
  void aFileIsDownloadedUnderItsNameHoweverOdd(String name) {
    String quoted = name.replace("'", "'\\''");
    Session session = client.create("printf content > './" + quoted + "'; echo ok");
    session.first().reply();
    JsonNode file = session.artifactNamed(name);
    assertEquals("/workspace/" + name, file.path("file_path").asText());
    HttpResponse<byte[]> download = Client.download(file.path("url").asText());
    assertEquals("content", new String(download.body(), StandardCharsets.UTF_8));
    String disposition = download.headers().firstValue("Content-Disposition").orElseThrow();
    assertTrue(disposition.startsWith("attachment"), disposition);
    assertEquals(name, fileName(disposition));
  }

  @ParameterizedTest
  @CsvSource({
    "a.json, application/json",
    "a.html, text/html",
    "a.txt, text/plain",
    "a.csv, text/csv",
    "a.svg, image/svg+xml",
    "a.unheardof, text/plain",
    "a.md, text/markdown"
  })
  void aFileIsServedAsTheTypeThatItsRecordNames(String name, String type) {
    Session session = client.create("printf '1 2' > " + name + "; echo ok");
    session.first().reply();
    JsonNode file = session.artifactNamed(name);
    assertEquals(type, file.path("mime_type").asText());
    HttpResponse<byte[]> download = Client.download(file.path("url").asText());
    String served = download.headers().firstValue("Content-Type").orElseThrow();
    assertEquals(type, served.replaceAll(";.*", "").strip());
  }

  @Test
  void bytesComeBackAsTheyWere() {
    Session session = client.create("printf '\\000\\377\\r\\n\\200' > raw.bin; sha256sum raw.bin");
    String sum = session.first().text();
    JsonNode file = session.artifactNamed("raw.bin");
    byte[] body = Client.download(file.path("url").asText()).body();
    assertArrayEquals(new byte[] {0, -1, '\r', '\n', -128}, body);
    assertEquals(sum.substring(0, 64), file.path("sha256").asText());
  }

  @Test
  void aLinkOutOfTheSandboxIsNotFollowed() {
    Session session = client.create("ln -s /etc/passwd passwd; ln -s / root; echo ok");
    session.first().reply();
    assertEquals(0, session.artifacts().size());
  }

  @Test
  void atMostFortyAreRecordedPlansFirstAndTheTranscriptSaysSo() {
    Session session =
        client.create("for i in $(seq 50); do echo $i > f$i.txt; done; echo p > PLAN.md; echo ok");
    session.first().reply();
    assertEquals(40, session.artifacts().size());
    assertEquals(1, session.planArtifactIds().size());
    assertTrue(
        session.texts("?type=message&role=assistant").stream().anyMatch(t -> t.contains("40")));
  }

  @Test
  void artifactsAreListedByKindPlanAndThread() {
    Session session = client.create("echo p > PLAN.md; echo f > f.txt; echo ok");
    session.first().reply();
    Turn second = session.send("echo q > PLAN.md; echo ok");
    second.reply();
    String path = session.path() + "/artifacts";
    String planId = planId(session, session.planArtifactIds().getFirst());
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
    Session session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String artifact = "/artifacts/" + session.planArtifactIds().getFirst();
    Session other = client.create("echo ok");
    for (String path :
        List.of(other.path() + artifact, session.path() + "/artifacts/" + Client.unknownId())) {
      JsonNode error = client.get(path).refused(404, "NOT_FOUND");
      assertEquals("Artifact not found", error.path("message").asText());
    }
    client.get("/sessions/" + Client.unknownId() + artifact).refused(404, "NOT_FOUND");
  }

  @Test
  void idsThatAreNoUuidsAreInvalid() {
    Session session = client.create("echo ok");
    client.get(session.path() + "/artifacts/1-1-1-1-1").invalid("artifact_id");
    client.get("/sessions/1-1-1-1-1/artifacts/" + Client.unknownId()).invalid("session_id");
  }

  @Test
  void anArtifactIdInUpperCaseIsTheSame() {
    Session session = client.create("echo p > PLAN.md; echo ok");
    session.first().reply();
    String id = session.planArtifactIds().getFirst();
    assertEquals(id, session.artifact(id.toUpperCase(Locale.ROOT)).path("id").asText());
  }

  private JsonNode plan() {
    Session session = client.create("echo plan > PLAN.md; echo ok");
    session.first().reply();
    return session.artifact(session.planArtifactIds().getFirst());
  }

  private int size(String path) {
    return client.get(path).ok().path("items").size();
  }

  private static String planId(Session session, String artifactId) {
    return session.artifact(artifactId).path("plan_id").asText();
  }

  private static JsonNode ids(JsonNode artifacts) {
    return Answer.JSON.valueToTree(artifacts.findValuesAsText("id"));
  }

  private static String text(JsonNode artifact) {
    HttpResponse<byte[]> download = Client.download(artifact.path("url").asText());
    assertEquals(200, download.statusCode());
    return new String(download.body(), StandardCharsets.UTF_8);
  }

  private static String fileName(String disposition) {
    Matcher name = FILE_NAME.matcher(disposition);
    assertTrue(name.find(), disposition);
    return URLDecoder.decode(name.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /// The same link with one character changed behind a part.
  private static String changedAfter(String part, String url) {
    int at = url.indexOf(part) + part.length();
    char other = url.charAt(at) == '1' ? '2' : '1';
    return url.substring(0, at) + other + url.substring(at + 1);
  }
}
