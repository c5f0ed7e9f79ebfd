package agentsessions.chat;

import static agentsessions.chat.Pages.FIRST;
import static agentsessions.chat.Pages.line;
import static agentsessions.chat.Pages.page;
import static agentsessions.chat.Pages.reply;
import static agentsessions.chat.Pages.session;
import static agentsessions.chat.Pages.turn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.StandIn.Request;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiHttp;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.conversation.AgentChoice;
import agentsessions.chat.conversation.CurrentConversation;
import agentsessions.chat.conversation.LastAgent;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// Tests of a message's inputs, from the options to the request that the service gets.
class InputOptionsTest {
  private static final String URL = "https://git.example.org/team/app.git";

  private final StandIn service = new StandIn();

  @TempDir private Path folder;

  InputOptionsTest() throws IOException {
    service.answers("POST /sessions", 201, session("t", "working"));
    service.answers("GET /sessions/s", 200, session("t", "idle"));
    service.answers(
        "POST /sessions/s/messages", 201, "{\"session_id\": \"s\", \"thread_id\": \"t\"}");
    service.answers(
        line("t", FIRST),
        200,
        page("t", turn("t", "completed", ""), "", "", reply("t", "done", "completed")));
    service.answers(
        "GET /sessions/s/artifacts?limit=100&kind=plan", 200, "{\"items\": [], \"_links\": {}}");
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aSessionStartsWithWhatTheOptionsSay() throws IOException {
    Path notes = Files.writeString(folder.resolve("notes.txt"), "ü");
    JsonNode body =
        sent(
            "POST /sessions",
            ("--repository=%s#v1 --repository %s2 --credential GIT_TOKEN --push=fix --file %s:docs/"
                    + " --env A=b=c --secret NPM_TOKEN --ask --model large go")
                .formatted(URL, URL, notes));
    assertEquals(
        ApiHttp.JSON.readTree(
            """
            [{"url": "%s", "ref": "v1", "credential": {"secret": "GIT_TOKEN"},
              "push": {"branch": "fix"}},
             {"url": "%s2"}]
            """
                .formatted(URL, URL)),
        body.path("repositories"));
    assertEquals(
        ApiHttp.JSON.readTree("[{\"path\": \"docs/notes.txt\", \"content_base64\": \"w7w=\"}]"),
        body.path("files"));
    assertEquals(
        ApiHttp.JSON.readTree("{\"variables\": {\"A\": \"b=c\"}, \"secrets\": [\"NPM_TOKEN\"]}"),
        body.path("environment"));
    assertEquals("large", body.path("model").asText());
    assertEquals("ask", body.path("permissions").path("default").asText());
  }

  @Test
  void whatFollowsAMerePushIsTheMessage() throws IOException {
    JsonNode body = sent("POST /sessions", "--repository " + URL + " --push go");
    assertEquals("go", body.path("message").asText());
    assertEquals(ApiHttp.JSON.readTree("{}"), body.path("repositories").path(0).path("push"));
  }

  @Test
  void aPullRequestIsAskedForWithOrWithoutATitle() throws IOException {
    JsonNode body = sent("POST /sessions", "--repository " + URL + " --pull-request go");
    assertEquals("go", body.path("message").asText());
    assertEquals(
        ApiHttp.JSON.readTree("{\"pull_request\": {}}"),
        body.path("repositories").path(0).path("push"));
    String all = " --push=fix --pull-request=Mend --provider gitea";
    assertEquals(
        Map.of("branch", "fix", "pull_request", Map.of("title", "Mend"), "provider", "gitea"),
        read(null, Map.of(), ("--repository " + URL + all).split(" "))
            .repositories()
            .getFirst()
            .fields()
            .get("push"));
  }

  @Test
  void whoAsksForNothingSendsNothingBeside() throws IOException {
    JsonNode body = sent("POST /sessions", "go");
    assertEquals(2, body.size(), body.toString());
  }

  @Test
  void aFileThatIsTooLargeForTheMessageIsUploadedWithoutTheKey() throws IOException {
    Path small = Files.writeString(folder.resolve("small"), "s");
    Path large = Files.write(folder.resolve("large"), new byte[256 * 1024]);
    service.answers(
        "POST /uploads",
        201,
        "{\"id\": \"u\", \"url\": \"{base}/put\", \"headers\": {\"If-None-Match\": \"*\"}}");
    service.answers("PUT /put", 200, "");
    JsonNode body =
        sent(
            "POST /sessions/s/messages",
            "--session s --file %s --file %s:in/x go".formatted(small, large));
    assertEquals(
        ApiHttp.JSON.readTree(
            """
            [{"path": "small", "content_base64": "cw=="}, {"path": "in/x", "upload_id": "u"}]
            """),
        body.path("files"));
    assertEquals(262_144, request("POST /uploads").path("size").asInt());
    Request put = all("PUT /put").getFirst();
    assertEquals("", put.key());
    assertEquals(262_144, put.body().length());
  }

  @Test
  void aVariableMayHaveTheValueItHasHere() {
    assertEquals(
        Map.of("TOKEN", "hunter2"),
        read(null, Map.of("TOKEN", "hunter2"), "--env", "TOKEN").variables());
  }

  @Test
  void noValueIsShownWithTheInputs() {
    assertFalse(read(null, Map.of(), "--env", "A=hunter2").toString().contains("hunter2"));
  }

  @ParameterizedTest
  @CsvSource({
    "--push, '--push needs a repository: --repository URL'",
    "--pull-request, '--pull-request needs a repository: --repository URL'",
    "--repository https://git.example.org/a --provider gitea, '--provider is for a pull request: --pull-request'",
    "--credential T, '--credential needs a repository: --repository URL'",
    "--repository https://me:hunter2@git.example.org/a, '--repository takes an address '",
    "--repository https://git.example.org/a#, '--repository takes an address '",
    "--repository app, '--repository takes an address '",
    "--env =hunter2, '--env takes NAME=VALUE, or a NAME that has a value here'",
    "--env MISSING, '--env MISSING: there is no such variable here'",
    "--secret TOKEN=hunter2, '--secret takes the name of a secret '",
    "--secret hunter2, '--secret takes the name of a secret '",
    "--file nowhere:x, '--file: there is no file nowhere that can be read'"
  })
  void aWrongOptionIsOneSentenceThatRepeatsNoValue(String options, String start) {
    ChatFailure failure =
        assertThrows(ChatFailure.class, () -> read(null, Map.of(), options.split(" ")));
    assertTrue(failure.reason().startsWith(start), failure.reason());
    assertFalse(failure.reason().contains("hunter2"), failure.reason());
  }

  @Test
  void whatOnlyANewSessionTakesIsRefusedForAnother() {
    ChatFailure failure =
        assertThrows(
            ChatFailure.class,
            () -> read("s", Map.of(), "--repository", URL, "--pull-request", "--env", "A=b"));
    assertEquals(
        "--repository, --pull-request, --env can only be given to a new session, without --session",
        failure.reason());
  }

  @Test
  void inAConversationFilesGoAlongOnceAndNewSessionsGetThemAgain() throws IOException {
    MessageInputs inputs = read(null, Map.of(), "--repository", URL, "--model", "large");
    Api api = new Api(service.access(), notice -> {});
    LastAgent last = new LastAgent(folder.resolve("last"));
    AgentChoice agent = new AgentChoice(api, "shell", last, line -> {}, () -> "");
    CurrentConversation talk =
        new CurrentConversation(api, new Lines().transcript(), agent, inputs);
    talk.say("one");
    talk.say("two");
    assertFalse(request("POST /sessions/s/messages").has("model"));
    talk.anew();
    talk.say("three");
    talk.leave();
    List<Request> begun = all("POST /sessions");
    assertEquals(2, begun.size());
    for (Request each : begun) {
      assertTrue(ApiHttp.JSON.readTree(each.body()).has("repositories"), each.body());
    }
  }

  private static MessageInputs read(
      @Nullable String session, Map<String, String> environment, String... options) {
    return CommandLine.populateCommand(new InputOptions(), options).read(session, environment);
  }

  private JsonNode sent(String line, String options) throws IOException {
    Path key = Files.writeString(folder.resolve("key"), StandIn.KEY);
    String access = "--url %s --key-file %s --json ".formatted(service.base(), key);
    String agent = options.contains("--session") ? "" : "--agent shell ";
    assertEquals(0, Chat.command().execute((access + agent + options).split(" ")));
    return request(line);
  }

  private JsonNode request(String line) throws IOException {
    return ApiHttp.JSON.readTree(all(line).getFirst().body());
  }

  private List<Request> all(String line) {
    Stream<Request> all = service.requests().stream();
    return all.filter(each -> each.line().equals(line)).toList();
  }
}
