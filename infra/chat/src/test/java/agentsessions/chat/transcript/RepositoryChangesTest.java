package agentsessions.chat.transcript;

import static agentsessions.chat.Pages.FIRST;
import static agentsessions.chat.Pages.line;
import static agentsessions.chat.Pages.page;
import static agentsessions.chat.Pages.reply;
import static agentsessions.chat.Pages.session;
import static agentsessions.chat.Pages.turn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import agentsessions.chat.Lines;
import agentsessions.chat.SingleMessage;
import agentsessions.chat.StandIn;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiHttp;
import agentsessions.chat.api.MessageInputs;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the repositories' changes: after a turn, in a report, and as a patch.
class RepositoryChangesTest {
  private static final String PATCH =
      """
      diff --git a/P b/P
      --- a/P
      +++ b/P
      @@ -1 +1 @@
      --- old
      +new \u001b[31m
      """;

  private final StandIn service = new StandIn();
  private final Api api = new Api(service.access(), notice -> {});
  private final StringWriter out = new StringWriter();
  private final Lines lines = new Lines();

  RepositoryChangesTest() throws Exception {
    service.answers("GET /agents", 200, "{\"items\": [{\"name\": \"shell\"}]}");
    service.answers("POST /sessions", 201, session("t", "working"));
    service.answers(
        "GET /sessions/s/artifacts?limit=100&kind=plan", 200, "{\"items\": [], \"_links\": {}}");
    service.answers("GET /sessions/s/artifacts/p", 200, patch());
    service.answers("GET /patch", 200, PATCH);
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aTurnEndsWithADiffstatAndWhereItWent() {
    ended(
        repository("app", 2, "\"p\"", "{\"branch\": \"agent/1\", \"commit\": \"0123456789\"}", ""),
        repository("docs", 0, "null", "null", ""),
        repository("lib", 1, "null", "null", "PUSH_REFUSED"));
    assertEquals(
        """
        done
        app: 2 files changed, 1 insertion(+), 3 deletions(-), pushed to agent/1 (0123456)
        lib: 1 file changed, 1 insertion(+), 3 deletions(-)
        Pull request of app: https://git.example.org/pulls/1
        Error: lib: PUSH_REFUSED: no luck
        [session s]
        """,
        printed(false));
  }

  @Test
  void aReportHasTheRepositoriesAndTheLinksOfTheirPatches() throws IOException {
    ended(repository("app", 2, "\"p\"", "null", ""), repository("docs", 0, "null", "null", ""));
    JsonNode report = ApiHttp.JSON.readTree(printed(true));
    assertEquals(2, report.path("repositories").path(0).path("files_changed").asInt());
    assertEquals(1, report.path("patches").size());
    assertEquals(service.base() + "/patch", report.path("patches").path(0).path("url").asText());
    assertEquals(0, report.path("pull_requests").size());
  }

  @Test
  void thePatchIsShownWithoutWhatSteersATerminal() {
    diff(repository("app", 1, "\"p\"", "null", ""));
    assertEquals(
        List.of(
            "app, which /file p downloads:", PATCH.stripTrailing().replace("\u001b", "\\u{1b}")),
        lines.read());
    assertEquals("", service.requests().getLast().key());
  }

  @Test
  void whereThereIsNoPatchThatIsSaid() {
    diff(
        repository("app", 0, "null", "null", ""),
        repository("lib", 9, "null", "null", "PATCH_TOO_LARGE"));
    assertEquals(
        List.of(
            "app: there is no patch, no changes yet",
            "lib: there is no patch, PATCH_TOO_LARGE: no luck"),
        lines.read());
  }

  @Test
  void aSessionWithoutRepositoriesSaysHowToGetOne() {
    diff();
    assertEquals(
        List.of("This session has no repository: begin one with --repository URL."), lines.read());
  }

  @Test
  void aRemovedLineOfDashesIsNoHeader() {
    AttributedString shown = ColouredPatch.of(PATCH);
    assertEquals(PATCH, shown.toString());
    assertNotEquals(styleOf(shown, "--- a/P"), styleOf(shown, "--- old"));
    assertEquals(styleOf(shown, "--- a/P"), styleOf(shown, "+++ b/P"));
  }

  private static Object styleOf(AttributedString shown, String text) {
    return shown.styleAt(shown.toString().indexOf(text));
  }

  private void diff(String... repositories) {
    service.answers("GET /sessions/s", 200, work(repositories));
    new DiffPrinter(api, new ArtifactDownloads(api), lines.transcript()).show("s");
  }

  private void ended(String... repositories) {
    String turn =
        turn("t", "completed", "")
            .replace(
                "\"error\"",
                "\"repositories\": [%s], \"error\"".formatted(String.join(",", repositories)));
    service.answers("GET /sessions/s", 200, work(repositories));
    service.answers(
        line("t", FIRST), 200, page("t", turn, "", "", reply("t", "done", "completed")));
  }

  private String printed(boolean json) {
    new SingleMessage(api, new PrintWriter(out, true), new PrintWriter(new StringWriter()), json)
        .run(null, null, "hi", MessageInputs.NONE);
    return out.toString();
  }

  private static String work(String... repositories) {
    return """
    {"id": "s", "repositories": [%s], "pull_requests": ["https://git.example.org/pulls/1"]}\
    """
        .formatted(String.join(",", repositories));
  }

  private static String repository(
      String path, int files, String patch, String pushed, String error) {
    return """
    {"url": "https://git.example.org/x", "path": "%s", "files_changed": %d, "additions": 1,
     "deletions": 3, "patch_artifact_id": %s, "pushed": %s, "pull_request_url": %s, "error": %s}\
    """
        .formatted(
            path,
            files,
            patch,
            pushed,
            pushed.equals("null") ? "null" : "\"https://git.example.org/pulls/1\"",
            error.isEmpty()
                ? "null"
                : "{\"code\": \"%s\", \"message\": \"no luck\"}".formatted(error));
  }

  private static String patch() throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(PATCH.getBytes(StandardCharsets.UTF_8));
    return """
    {"id": "p", "url": "{base}/patch", "file_name": "app-1.diff", "file_size_in_kb": 0.1,
     "file_path": "/home/agent/patches/app-1.diff", "created_at": "2026-01-01T00:00:00.000Z",
     "sha256": "%s"}\
    """
        .formatted(HexFormat.of().formatHex(digest));
  }
}
