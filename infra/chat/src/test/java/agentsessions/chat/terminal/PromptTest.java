package agentsessions.chat.terminal;

import static agentsessions.chat.Pages.FIRST;
import static agentsessions.chat.Pages.asked;
import static agentsessions.chat.Pages.line;
import static agentsessions.chat.Pages.page;
import static agentsessions.chat.Pages.request;
import static agentsessions.chat.Pages.session;
import static agentsessions.chat.Pages.turn;
import static agentsessions.chat.Pages.waiting;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.StandIn;
import agentsessions.chat.api.Access;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.conversation.LastAgent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the interactive terminal, with a terminal made of two streams.
class PromptTest {
  private static final String LINE = "a line that is longer than the terminal is wide";

  private final StandIn service = new StandIn();
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final PipedOutputStream keyboard = new PipedOutputStream();
  private final Terminal terminal =
      new ExternalTerminal("test", "xterm", new PipedInputStream(keyboard), screen, UTF_8);

  @TempDir private Path folder;

  PromptTest() throws IOException {
    terminal.setSize(new Size(30, 20));
    service.answers("GET /agents", 200, "{\"items\": [{\"name\": \"shell\"}]}");
    service.answers("POST /sessions", 201, session("t", "working"));
    service.answers(line("t", FIRST), 200, page("t", turn("t", "running", ""), "", ""));
  }

  @AfterEach
  void close() throws IOException {
    keyboard.close();
    service.close();
  }

  @Test
  void whatIsTypedWhileTheAgentWorksIsDrawnAnewForAnotherWidth() throws Exception {
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("hello\r");
    await("working");
    type(LINE);
    await("is wide");
    int drawn = screen.size();
    terminal.setSize(new Size(15, 20));
    terminal.raise(Signal.WINCH);
    // Rewrapped, the progress line takes 3 rows, and prompt and input 4: the cursor is in the 7th.
    await("\r\033[6A\033[J", drawn);
    await("a line that i", drawn);
    await("is wide", drawn);
    keyboard.close();
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  @Test
  void whatWasTypedMeanwhileStaysWhenTheTurnIsInterrupted() throws Exception {
    service.answers("POST /sessions/s/interrupt", 200, turn("t", "cancelled", ""));
    service.answers(
        "POST /sessions/s/messages", 201, "{\"session_id\": \"s\", \"thread_id\": \"t\"}");
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("hello\r");
    await("working");
    type("half a th\003");
    awaitRequest("POST /sessions/s/interrupt", "");
    type("ought\r");
    awaitRequest("POST /sessions/s/messages", "half a thought");
    keyboard.close();
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  @Test
  void whatIsNoDecisionIsNeitherSentNorLeftInTheLineWhileTheAgentAsks() throws Exception {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "requires_action", ""), "", ""));
    service.answers("GET /requests?session_id=s", 200, asked("r"));
    service.answers("GET /me", 200, "{\"scopes\": [\"decide\"]}");
    service.answers("POST /sessions/s/requests/r/decision", 200, request("r"));
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("hello\r");
    await("waiting for a, s or d");
    type("a test\r");
    await("or Ctrl-C for");
    type("a\r");
    awaitRequest("POST /sessions/s/requests/r/decision", "\"allow\"");
    await("Allowed once.");
    assertTrue(service.requests().stream().noneMatch(each -> each.line().endsWith("/messages")));
    keyboard.close();
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  @Test
  void aQuestionIsAnsweredByTheNumberOfAnOption() throws Exception {
    String questions =
        """
        "questions": [{"id": "1", "text": "Which?", "multiple": false, "free_text": false,
         "options": [{"value": "r", "label": "Red"}, {"value": "b", "label": "Blue"}]}]\
        """;
    service.answers(line("t", FIRST), 200, page("t", turn("t", "requires_action", ""), "", ""));
    service.answers(
        "GET /requests?session_id=s", 200, waiting(request("r", "question", questions)));
    service.answers("GET /me", 200, "{\"scopes\": [\"decide\"]}");
    service.answers("POST /sessions/s/requests/r/decision", 200, request("r"));
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("hello\r");
    await("waiting for an answer");
    type("green\r");
    await("waits for an answer, or Ctrl-C");
    type("\u00152\r");
    awaitRequest("POST /sessions/s/requests/r/decision", "\"answers\":{\"1\":[\"b\"]}");
    await("Answered: b");
    keyboard.close();
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  @Test
  void anAnswerIsForNothingButWhatWasAskedWhenItWasBegun() throws Exception {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "requires_action", ""), "", ""));
    service.answers("GET /requests?session_id=s", 200, asked("r"));
    service.answers("GET /me", 200, "{\"scopes\": [\"decide\"]}");
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("hello\r");
    await("waiting for a, s or d");
    type("no\r");
    await("or Ctrl-C for");
    int told = screen.toString(UTF_8).indexOf("or Ctrl-C for");
    await("waiting for a, s or d", told); // the next line is begun
    service.answers("GET /requests?session_id=s", 200, asked("q").replace("Bash", "Write"));
    await("Write (execute)");
    type("a\r");
    await("That was decided");
    assertTrue(service.requests().stream().noneMatch(each -> each.line().contains("decision")));
    keyboard.close();
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  @Test
  void aDecisionThatIsTypedTooEarlyIsNoMessage() throws Exception {
    service.answers(
        "POST /sessions/s/messages", 201, "{\"session_id\": \"s\", \"thread_id\": \"t\"}");
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("hello\r");
    await("working");
    for (String decision : List.of("a", "s", "d")) {
      int shown = screen.size();
      type(decision + "\r");
      await("Nothing waits for a decision", shown);
    }
    type("d is a letter\r");
    awaitRequest("POST /sessions/s/messages", "d is a letter");
    assertEquals(
        1, service.requests().stream().filter(each -> each.line().endsWith("/messages")).count());
    keyboard.close();
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  @Test
  void aSessionOfTheListIsGoneOnWithByItsNumber() throws Exception {
    service.answers(
        "GET /sessions?limit=20", 200, "{\"items\": [%s]}".formatted(session("t", "idle")));
    service.answers("GET /sessions/s", 200, session("t", "idle"));
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("/session 1\r");
    await("/sessions lists them");
    type("/sessions\r");
    await("  1  s  idle");
    type("/session 1\r");
    awaitRequest("GET /sessions/s", "");
    keyboard.close();
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  @Test
  void whatIsTypedToGoOnNamesTheServiceAsItWasNamed() throws Exception {
    Thread talk = Thread.ofVirtual().start(this::talk);
    type("hello\r");
    await("working");
    type("/quit\r");
    await("To go on: agent-sessions-chat --session s --data my-data");
    assertTrue(talk.join(Duration.ofSeconds(60)));
  }

  private void talk() {
    LastAgent last = new LastAgent(folder.resolve("last"));
    Access known = service.access();
    List<String> options = List.of("--data", "my-data");
    Access access = new Access(known.base(), known.key(), known.origin(), options);
    try (Prompt prompt = new Prompt(terminal, access, null, last, MessageInputs.NONE)) {
      prompt.run(null, null);
    }
  }

  private void type(String text) throws IOException {
    keyboard.write(text.getBytes(UTF_8));
    keyboard.flush();
  }

  private void awaitRequest(String line, String part) {
    Awaitility.await(line)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(() ->
            service.requests().stream()
                .anyMatch(each -> each.line().equals(line) && each.body().contains(part)));
  }

  private void await(String text) {
    await(text, 0);
  }

  private void await(String text, int from) {
    Awaitility.await(text)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> screen.toString(UTF_8).substring(from), shown -> shown.contains(text));
  }
}
