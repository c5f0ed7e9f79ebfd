package agentsessions.chat;

import static agentsessions.chat.Pages.FIRST;
import static agentsessions.chat.Pages.asked;
import static agentsessions.chat.Pages.line;
import static agentsessions.chat.Pages.page;
import static agentsessions.chat.Pages.reply;
import static agentsessions.chat.Pages.said;
import static agentsessions.chat.Pages.session;
import static agentsessions.chat.Pages.turn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.api.Access;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiHttp;
import agentsessions.chat.api.ApiModel;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.transcript.ArtifactDownloads;
import agentsessions.chat.transcript.TranscriptPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Tests of the client without a terminal: one message, one JSON object, one exit code; and the
/// plans.
class SingleMessageTest {
  private static final String PLANS = "GET /sessions/s/artifacts?limit=100&kind=plan";
  private final StandIn service = new StandIn();
  private final Api api = new Api(service.access(), notice -> {});
  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();

  SingleMessageTest() throws IOException {
    service.answers("GET /agents", 200, "{\"items\": [{\"name\": \"shell\"}]}");
    service.answers("POST /sessions", 201, session("t", "working"));
    service.answers(
        PLANS,
        200,
        "{\"items\": [%s, %s], \"_links\": {}}"
            .formatted(plan("1", "../../P.md"), plan("2", "P.md")));
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aCompletedTurnIsZeroAndOneObject() throws IOException {
    JsonNode report = report("completed", turn("t", "completed", ""), 0);
    assertEquals("s", report.path("session").asText());
    assertEquals("t", report.path("thread").asText());
    assertEquals("hello", report.path("reply").asText());
    assertEquals(1, report.path("plans").size());
    assertEquals("2", report.path("plans").path(0).path("id").asText());
  }

  @Test
  void outputThatWasShownLiveIsNotPrintedAgainWithTheReply() throws IOException {
    assertEquals(
        "one\n\n two\nthree\n[session s]\n",
        printed(
            said("t", "assistant", "one\\n\\n", "1"),
            said("t", "assistant", " two\\n", "2"),
            reply("t", "one\\n\\n two\\nthree", "completed")));
  }

  @Test
  void aReplyThatIsNotOfTheShownOutputIsPrintedWhole() throws IOException {
    assertEquals(
        "one\nThis turn failed\n[session s]\n",
        printed(
            said("t", "assistant", "one\\n", "1"), reply("t", "This turn failed", "completed")));
  }

  @Test
  void aReplyThatBeginsLikeARemarkIsPrintedWhole() throws IOException {
    assertEquals(
        "  I look.\nI look. Done\n[session s]\n",
        printed(said("t", "assistant", "I look.", "1"), reply("t", "I look. Done", "completed")));
  }

  private String printed(String... items) {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "completed", ""), "", "", items));
    new SingleMessage(api, new PrintWriter(out, true), new PrintWriter(errors, true), false)
        .run(null, null, "hi", MessageInputs.NONE);
    return out.toString();
  }

  @Test
  void aFailedTurnIsOneAndSaysWhy() throws IOException {
    String turn =
        turn("t", "failed", "")
            .replace(
                "\"error\": null",
                "\"error\": {\"code\": \"AGENT_FAILED\", \"message\": \"No luck\", \"retryable\":"
                    + " true}");
    JsonNode report = report("failed", turn, 1);
    assertEquals("failed", report.path("outcome").asText());
    assertEquals("No luck", report.path("error").path("message").asText());
    assertEquals("The turn ended failed: No luck", errors.toString().strip());
  }

  @Test
  void whoIsNotInATerminalIsToldHowToDecideAndLeavesWithThree() {
    held();
    Access known = service.access();
    List<String> options = List.of("--data", "my-data");
    Access access = new Access(known.base(), known.key(), known.origin(), options);
    assertEquals(
        3,
        new SingleMessage(
                new Api(access, _ -> {}),
                new PrintWriter(out, true),
                new PrintWriter(errors, true),
                false)
            .run(null, null, "hi", MessageInputs.NONE));
    assertTrue(out.toString().startsWith("The agent asks: Bash (execute)\n  command: date\n"));
    assertTrue(
        out.toString()
            .matches(
                "(?s).*Decide until [\\d:]+ [A-Z].*: agent-sessions-chat --session s --data my-data in .*"));
    assertTrue(out.toString().endsWith(" to http://d\n[session s]\n"), out.toString());
  }

  @Test
  void aScriptWaitsForTheDecisionAndReadsOneObject() throws IOException {
    held();
    JsonNode report = report("completed", turn("t", "completed", ""), 0);
    assertEquals("completed", report.path("outcome").asText());
    assertTrue(errors.toString().startsWith("The agent asks: Bash (execute)"), errors.toString());
  }

  @Test
  void aPlanThatWaitsIsNamedAndTheTurnHasCompleted() throws IOException {
    String plan = Pages.request("r", "plan", "\"plan_artifact_id\": \"1\"");
    service.answers("GET /requests?session_id=s", 200, Pages.waiting(plan));
    service.answers("GET /sessions/s", 200, session("t", "requires_action"));
    JsonNode report = report("completed", turn("t", "completed", ""), 0);
    assertEquals("completed", report.path("outcome").asText());
    assertTrue(errors.toString().startsWith("The agent asks to carry out its plan: Bash: date\n"));
    assertTrue(errors.toString().contains("(or deny, with a note) to http://d"), errors::toString);
  }

  @Test
  void aScriptWaitsForAPushAndItsReportHasThePullRequest() throws IOException {
    pushed();
    String url = "https://git.example.org/pulls/1";
    JsonNode report = report("completed", turn("t", "completed", ""), 0);
    assertEquals(url, report.path("pull_requests").path(0).asText());
    assertEquals(
        url,
        report.path("repositories").path(0).path("pull_request_url").asText(),
        report::toString);
    assertTrue(
        errors
            .toString()
            .startsWith(
                "The changes wait to be pushed:\n  app to the branch b of u, with a pull request\n"),
        errors::toString);
  }

  @Test
  void whoIsNotInATerminalLeavesAPushWithThree() {
    pushed();
    service.answers(
        line("t", FIRST),
        200,
        page("t", turn("t", "completed", ""), "", "", reply("t", "hello", "completed")));
    assertEquals(
        3,
        new SingleMessage(api, new PrintWriter(out, true), new PrintWriter(errors, true), false)
            .run(null, null, "hi", MessageInputs.NONE));
    assertTrue(out.toString().contains("(or allow_session, deny) to http://d\n"), out::toString);
  }

  /// A turn that has ended, whose push is allowed and done while somebody waits for it.
  private void pushed() {
    service.answers("GET /requests?session_id=s", 200, Pages.waiting(Pages.push("r", "")));
    service.answers("GET /sessions/s", 200, session("t", "requires_action"));
    service.answers("GET /sessions/s", 200, Pages.work("working", "\"push\""));
    service.answers("GET /sessions/s", 200, Pages.work("idle", "null"));
  }

  private void held() {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "requires_action", ""), "", ""));
    service.answers("GET /requests?session_id=s", 200, asked("r"));
    service.answers("GET /sessions/s", 200, session("t", "requires_action"));
  }

  @Test
  void theLastSessionIsGoneOnWithByThatName() throws IOException {
    service.answers(
        "GET /sessions?limit=20", 200, "{\"items\": [%s]}".formatted(session("t", "idle")));
    service.answers("GET /sessions/s", 200, session("t", "idle"));
    assertEquals("s", api.session("last").id());
  }

  @Test
  void aDownloadNeedsAFolderThatIsThere(@TempDir Path folder) {
    ApiModel.Artifact artifact =
        new ApiModel.Artifact("1", "", "P.md", "/workspace/P.md", 1, "", "");
    String to = folder.resolve("sub").resolve("x.txt").toString();
    ChatFailure failure =
        assertThrows(ChatFailure.class, () -> new ArtifactDownloads(api).save(artifact, to));
    assertEquals("There is no folder " + folder.resolve("sub"), failure.reason());
  }

  @Test
  void whatCannotBeAskedIsTwo(@TempDir Path folder) throws IOException {
    service.answers("GET /sessions/x", 401, StandIn.problem("UNAUTHORIZED", "A key is required"));
    Path key = Files.writeString(folder.resolve("key"), StandIn.KEY);
    StringWriter error = new StringWriter();
    CommandLine command = Chat.command().setErr(new PrintWriter(error));
    assertEquals(
        2,
        command.execute(
            "--url",
            service.base().toString(),
            "--key-file",
            key.toString(),
            "--session",
            "x",
            "--json",
            "hi"));
    assertTrue(error.toString().startsWith("Error: UNAUTHORIZED"), error.toString());
    assertTrue(error.toString().contains("The key is from " + key), error.toString());
  }

  @Test
  void aPlanIsSavedWhereTheUserSaysAndNowhereElse(@TempDir Path folder) throws IOException {
    service.answers("GET /plan", 200, "# Plan");
    service.answers(
        "GET /sessions/s/artifacts/1",
        200,
        plan("1", "../../P.md").replace("{base}", service.base().toString()));
    ArtifactDownloads artifacts = new ArtifactDownloads(api);
    Path file = artifacts.save(artifacts.find("s", "plan", "1"), folder.toString());
    assertEquals(folder.resolve("P.md"), file);
    assertEquals("# Plan", Files.readString(file));
    assertEquals("", service.requests().getLast().key());
    assertThrows(ChatFailure.class, () -> artifacts.find("s", "plan", "2"));
  }

  @Test
  void anAgentCannotSteerTheTerminal() {
    assertEquals("a\ufffd[31mb\n\tc\ufffd", TranscriptPrinter.clean("a\u001b[31mb\r\n\tc\u202e"));
  }

  private JsonNode report(String outcome, String turn, int code) throws IOException {
    service.answers(line("t", FIRST), 200, page("t", turn, "", "", reply("t", "hello", outcome)));
    assertEquals(
        code,
        new SingleMessage(api, new PrintWriter(out, true), new PrintWriter(errors, true), true)
            .run(null, null, "hi", MessageInputs.NONE));
    return ApiHttp.JSON.readTree(out.toString());
  }

  private static String plan(String id, String name) {
    return """
    {"id": "%s", "url": "{base}/plan", "file_name": "%s", "file_path": "/workspace/P.md",
     "file_size_in_kb": 0.1, "created_at": "2026-01-01T00:00:00.000Z",
     "sha256": "%s"}\
    """
        .formatted(id, name, "1ee55b7ae632bd99dfea4f2d791ff06b1119975e96d4f822050923e7499f44cb");
  }
}
