package agentsessions.chat.conversation;

import static agentsessions.chat.Pages.FIRST;
import static agentsessions.chat.Pages.asked;
import static agentsessions.chat.Pages.line;
import static agentsessions.chat.Pages.page;
import static agentsessions.chat.Pages.reply;
import static agentsessions.chat.Pages.request;
import static agentsessions.chat.Pages.said;
import static agentsessions.chat.Pages.session;
import static agentsessions.chat.Pages.turn;
import static agentsessions.chat.Pages.waiting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.Lines;
import agentsessions.chat.Pages;
import agentsessions.chat.StandIn;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.MessageInputs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of messages and interrupts while the agent works.
class SessionConversationTest {
  private static final String SUM =
      "1ee55b7ae632bd99dfea4f2d791ff06b1119975e96d4f822050923e7499f44cb";

  private static final List<String> DECIDES = List.of("read", "write", "decide");

  private final StandIn service = new StandIn();
  private final Api api = new Api(service.access(), notice -> {});
  private final Lines lines = new Lines();

  SessionConversationTest() throws IOException {
    service.answers("POST /sessions", 201, session("t", "working"));
    service.answers(line("t", FIRST), 200, page("t", turn("t", "running", ""), "", ""));
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aFollowUpIsReadAfterWhatItInterrupted() {
    try (SessionConversation talk = begin("sleep 60")) {
      assertTrue(talk.isWorking());
      service.answers(line("t", FIRST), 200, page("t", turn("t", "interrupted", "u"), "", ""));
      service.answers(
          "POST /sessions/s/messages", 201, "{\"session_id\": \"s\", \"thread_id\": \"u\"}");
      service.answers(
          line("u", FIRST),
          200,
          page(
              "u",
              turn("u", "completed", ""),
              "",
              "",
              said("u", "user", "date", "8"),
              reply("u", "Monday", "completed")));
      talk.send("date", MessageInputs.NONE);
      lines.await("Monday");
      assertEquals(List.of("Interrupted by a newer message.", "Monday"), lines.read());
    }
  }

  @Test
  void aFollowUpOfAnotherClientIsGoneOnToWithItsMessage() {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "interrupted", "u"), "", ""));
    service.answers(
        line("u", FIRST),
        200,
        page(
            "u",
            turn("u", "completed", ""),
            "",
            "",
            said("u", "user", "hi", "8"),
            reply("u", "hello", "completed")));
    try (SessionConversation talk = begin("sleep 60")) {
      lines.await("hello");
      assertTrue(lines.read().contains("you> hi"), talk.sessionId());
    }
  }

  @Test
  void aFollowUpIsReadAlsoWhereNobodyTellsOfPullRequests() {
    String pushed =
        "\"repositories\": [{\"path\": \"a\", \"pushed\": {\"branch\": \"b\", \"commit\": \"c\"}}]";
    String turn = turn("t", "interrupted", "u").replace("\"error\": null", pushed);
    service.answers(line("t", FIRST), 200, page("t", turn, "", ""));
    service.answers(
        line("u", FIRST),
        200,
        page("u", turn("u", "completed", ""), "", "", reply("u", "hello", "completed")));
    try (SessionConversation talk = begin("sleep 60")) {
      lines.await("hello");
      assertTrue(
          lines.read().contains("Error: NOT_FOUND: GET /sessions/s (request r)"), talk.sessionId());
    }
  }

  @Test
  void anInterruptIsSentOnce() {
    service.answers("POST /sessions/s/interrupt", 200, turn("t", "cancelled", ""));
    try (SessionConversation talk = begin("sleep 60")) {
      assertTrue(talk.interrupt());
      assertFalse(talk.interrupt());
      service.answers(line("t", FIRST), 200, page("t", turn("t", "cancelled", ""), "", ""));
      lines.await("Interrupted.");
    }
    assertEquals(
        1, service.requests().stream().filter(each -> each.line().endsWith("/interrupt")).count());
  }

  @Test
  void whatTheAgentAsksIsShownOnceAndDecidedAsItWasShown() {
    held(DECIDES);
    service.answers("POST /sessions/s/requests/r/decision", 200, request("r"));
    try (SessionConversation talk = begin("date")) {
      await().until(() -> talk.asked().isPresent());
      assertEquals(
          List.of("The agent asks: Bash (execute)", "  command: date\n    Allow\n  n: 1"),
          lines.read().subList(0, 2));
      assertTrue(lines.read().get(2).startsWith("[a]llow once, "), lines.read().get(2));
      talk.decide(new Answer("deny", "why"));
      lines.await("Denied.");
      assertEquals("{\"decision\":\"deny\",\"fingerprint\":\"f\",\"note\":\"why\"}", decision());
      service.answers("GET /requests?session_id=s", 200, waiting());
      service.answers(
          line("t", FIRST),
          200,
          page("t", turn("t", "completed", ""), "", "", reply("t", "Monday", "completed")));
      lines.await("Monday");
      assertFalse(talk.asked().isPresent());
      assertEquals(1, lines.read().stream().filter(each -> each.contains("asks")).count());
    }
  }

  @Test
  void aKeyThatMayNotDecideIsToldSoAndIsAskedNothing() {
    held(List.of("read", "write"));
    try (SessionConversation talk = begin("date")) {
      await().until(() -> lines.read().size() == 3);
      assertTrue(lines.read().get(2).startsWith("This key lacks the scope \"decide\""));
      assertFalse(talk.asked().isPresent());
      assertTrue(talk.isWorking());
    }
  }

  @Test
  void questionsAreShownWithTheirOptionsAndAnsweredOneAfterTheOther() {
    String questions =
        """
        "tool": {"name": "ask", "kind": "other", "input": {}}, "questions": [
        {"id": "1", "text": "Which?", "multiple": true, "free_text": true, "options":
         [{"value": "r", "label": "Red", "description": "warm"}, {"value": "g", "label": "Green"}]},
        {"id": "2", "text": "Why?", "multiple": false, "free_text": true, "options": []}]\
        """;
    held(DECIDES, waiting(request("r", "question", questions)));
    service.answers("POST /sessions/s/requests/r/decision", 200, request("r"));
    try (SessionConversation talk = begin("date")) {
      await().until(() -> lines.read().size() == 5 && talk.asked().isPresent());
      assertEquals(
          List.of("The agent asks: Which?", "  1  Red: warm", "  2  Green", "The agent asks: Why?"),
          lines.read().subList(0, 4));
      String ways = "Which? Answer by numbers such as 1 2 or words of your own, or d if nobody";
      assertTrue(lines.read().get(4).startsWith(ways), lines.read().get(4));
      assertFalse(talk.answer("3"));
      assertTrue(talk.answer("2 1"));
      assertTrue(talk.answer("a guess"));
      lines.await("Answered: g, r; a guess");
      assertEquals(
          "{\"decision\":\"allow\",\"fingerprint\":\"f\",\"answers\":{\"1\":[\"g\",\"r\"],\"2\":[\"a"
              + " guess\"]}}",
          decision());
    }
  }

  @Test
  void aConnectionIsAskedForByItsAddress() {
    String tool =
        "\"tool\": {\"name\": \"connect\", \"kind\": \"host\", \"input\": {\"host\":"
            + " \"example.org\", \"port\": 443}}";
    held(DECIDES, waiting(request("r", "permission", tool)));
    try (SessionConversation talk = begin("date")) {
      lines.await("The agent asks to connect to example.org:443");
      assertTrue(talk.isWorking());
    }
  }

  @Test
  void aPlanIsShownWhenItsTurnIsOverAndSentBackWithANote() {
    planned();
    service.answers("POST /sessions/s/requests/r/decision", 200, request("r"));
    service.answers("GET /sessions/s", 200, session("u", "working"));
    service.answers(
        line("u", FIRST),
        200,
        page("u", turn("u", "completed", ""), "", "", reply("u", "Done", "completed")));
    try (SessionConversation talk = begin("date")) {
      await().until(() -> talk.asked().isPresent());
      assertTrue(lines.read().contains("The agent asks to carry out its plan: Bash: date"));
      assertTrue(lines.read().contains("  # Plan"), lines.read()::toString);
      assertFalse(talk.answer("s"));
      service.answers("GET /requests?session_id=s", 200, waiting());
      assertTrue(talk.answer("d in Go"));
      lines.await("Sent back.");
      lines.await("Done");
      assertEquals("{\"decision\":\"deny\",\"fingerprint\":\"f\",\"note\":\"in Go\"}", decision());
    }
  }

  @Test
  void aPlanThatIsPutOffTakesNoLetters() {
    planned();
    try (SessionConversation talk = begin("date")) {
      await().until(() -> talk.asked().isPresent());
      assertTrue(talk.interrupt());
      assertFalse(talk.asked().isPresent());
      assertFalse(talk.interrupt());
    }
  }

  @Test
  void aPushIsDecidedWhenItsTurnIsOverAndWhatCameOfItIsShown() {
    pushed(SUM);
    service.answers("POST /sessions/s/requests/r/decision", 200, request("r"));
    service.answers("GET /sessions/s", 200, Pages.work("working", "\"push\""));
    service.answers("GET /sessions/s", 200, Pages.work("idle", "null"));
    try (SessionConversation talk = begin("date")) {
      await().until(() -> talk.asked().isPresent());
      assertEquals(
          "  app to the branch b of u, with a pull request",
          lines.read().get(lines.read().indexOf("The changes wait to be pushed:") + 1));
      assertTrue(talk.answer("a"));
      lines.await("Allowed once.");
      lines.await("Pull request: https://git.example.org/pulls/1");
      await().until(() -> !talk.isWorking());
    }
  }

  @Test
  void aPushThatIsPutOffTakesNoLetters() {
    pushed(SUM);
    try (SessionConversation talk = begin("date")) {
      await().until(() -> talk.asked().isPresent());
      assertTrue(talk.interrupt());
      assertTrue(lines.read().getLast().startsWith("The push waits on: "), lines.read()::toString);
      assertFalse(talk.asked().isPresent());
    }
  }

  @Test
  void whatIsNotWhatWasPrintedIsNotAllowed() {
    pushed("0".repeat(64));
    try (SessionConversation talk = begin("date")) {
      await().until(() -> talk.asked().isPresent());
      assertTrue(lines.read().contains("# Plan"), lines.read()::toString);
      assertTrue(lines.read().getLast().startsWith("Not all of it"), lines.read()::toString);
      assertTrue(talk.answer("a"));
      assertTrue(lines.read().getLast().startsWith("Not all of it"), lines.read()::toString);
      assertTrue(talk.asked().isPresent());
      assertTrue(
          service.requests().stream().noneMatch(each -> each.line().endsWith("/decision")),
          "nothing was decided");
    }
  }

  /// A turn that has ended with a plan, which waits.
  private void planned() {
    asks(DECIDES, waiting(request("r", "plan", "\"plan_artifact_id\": \"1\"")));
    service.answers(line("t", FIRST), 200, page("t", turn("t", "completed", ""), "", ""));
    kept();
  }

  /// A turn that has ended with changes, which wait.
  ///
  /// @param patch the SHA-256 of what would be pushed
  private void pushed(String patch) {
    asks(DECIDES, waiting(Pages.push("r", patch)));
    service.answers(line("t", FIRST), 200, page("t", turn("t", "completed", ""), "", ""));
    service.answers(
        "GET /sessions/s",
        200,
        Pages.work("requires_action", "null")
            .replace("\"pushed\":", "\"patch_artifact_id\": \"1\", \"pushed\":"));
    kept();
  }

  /// The artifact of which the SHA-256 is `SUM`.
  private void kept() {
    service.answers("GET /plan", 200, "# Plan");
    service.answers(
        "GET /sessions/s/artifacts/1",
        200,
        """
        {"id": "1", "url": "%s/plan", "file_name": "P.md", "file_path": "/workspace/P.md",
         "file_size_in_kb": 0.1, "created_at": "2026-01-01T00:00:00.000Z", "sha256": "%s"}\
        """
            .formatted(service.base(), SUM));
  }

  private String decision() {
    return service.requests().stream()
        .filter(each -> each.line().startsWith("POST /sessions/s/requests"))
        .findFirst()
        .orElseThrow()
        .body();
  }

  private void held(List<String> scopes) {
    held(scopes, asked("r"));
  }

  private void held(List<String> scopes, String requests) {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "requires_action", ""), "", ""));
    asks(scopes, requests);
  }

  private void asks(List<String> scopes, String requests) {
    service.answers("GET /requests?session_id=s", 200, requests);
    String names = String.join("\", \"", scopes);
    service.answers("GET /me", 200, "{\"scopes\": [\"%s\"]}".formatted(names));
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10));
  }

  private SessionConversation begin(String message) {
    return SessionConversation.begin(api, lines.transcript(), "shell", message, MessageInputs.NONE);
  }
}
