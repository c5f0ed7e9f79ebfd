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
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.Lines;
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
    held(List.of("read", "write", "decide"));
    service.answers("POST /sessions/s/requests/r/decision", 200, request("r"));
    try (SessionConversation talk = begin("date")) {
      await().until(() -> talk.asked().isPresent());
      assertEquals(
          List.of("The agent asks: Bash (execute)", "  command: date\n    Allow\n  n: 1"),
          lines.read().subList(0, 2));
      assertTrue(lines.read().get(2).startsWith("[a]llow once, "), lines.read().get(2));
      talk.decide(new Answer("deny", "why"));
      lines.await("Denied.");
      assertEquals(
          "{\"decision\":\"deny\",\"fingerprint\":\"f\",\"note\":\"why\"}",
          service.requests().stream()
              .filter(each -> each.line().startsWith("POST /sessions/s/requests"))
              .findFirst()
              .orElseThrow()
              .body());
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

  private void held(List<String> scopes) {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "requires_action", ""), "", ""));
    service.answers("GET /requests?session_id=s", 200, asked("r"));
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
