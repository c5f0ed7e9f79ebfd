package agentsessions.chat.conversation;

import static agentsessions.chat.Pages.FIRST;
import static agentsessions.chat.Pages.line;
import static agentsessions.chat.Pages.page;
import static agentsessions.chat.Pages.reply;
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
import java.util.List;
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

  private SessionConversation begin(String message) {
    return SessionConversation.begin(api, lines.transcript(), "shell", message, MessageInputs.NONE);
  }
}
