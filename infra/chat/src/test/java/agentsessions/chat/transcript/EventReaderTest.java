package agentsessions.chat.transcript;

import static agentsessions.chat.Pages.asked;
import static agentsessions.chat.Pages.reply;
import static agentsessions.chat.Pages.request;
import static agentsessions.chat.Pages.said;
import static agentsessions.chat.Pages.turn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.Lines;
import agentsessions.chat.StandIn;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.transcript.TurnReader.Ending;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the event stream's reader, with connections that break.
class EventReaderTest {
  private static final String STREAM = "GET /sessions/s/threads/t/events";

  private final StandIn service = new StandIn();
  private final Api api = new Api(service.access(), notice -> {});
  private final Lines lines = new Lines();
  private final TurnReader reader =
      new TurnReader(api, lines.transcript()::show, (id, turn) -> true);

  EventReaderTest() throws IOException {}

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aThreadIsHeardToItsEndOverSeveralAnswers() throws InterruptedException {
    service.answers(
        STREAM,
        200,
        "retry: 1000\n\n"
            + message("1", said("t", "assistant", "one", "1.5"))
            + end("1.x", "wait"));
    service.answers(
        STREAM,
        200,
        message("2", reply("t", "done", "completed"))
            + event("3", "thread.completed", turn("t", "completed", ""))
            + end("3.x", "final"));
    Ending ending = reader.read("s", "t", null);
    assertEquals(List.of("  one", "done"), lines.read());
    assertEquals("done", ending.reply().orElseThrow().message());
    assertEquals(
        List.of("", "1.x"), service.requests().stream().map(StandIn.Request::lastEventId).toList());
    assertTrue(service.requests().stream().allMatch(request -> request.line().equals(STREAM)));
  }

  @Test
  void halfAnEventIsNoneAndComesAgain() throws InterruptedException {
    String one = message("1", said("t", "assistant", "one", "1.5"));
    String two = message("2", said("t", "assistant", "two", "2.5"));
    service.answers(STREAM, 200, one + two.substring(0, two.length() - 1));
    service.answers(
        STREAM, 200, two + event("3", "thread.interrupted", turn("t", "interrupted", "u")));
    Ending ending = reader.read("s", "t", null);
    assertEquals(List.of("  one", "  two"), lines.read());
    assertEquals("u", ending.turn().supersededBy());
    assertEquals("1", service.requests().getLast().lastEventId());
  }

  @Test
  void whatIsOnTheScreenAlreadyIsNotShownAgain() throws InterruptedException {
    service.answers(
        STREAM,
        200,
        message("1", said("t", "assistant", "old", "1.5"))
            + message("2", said("t", "assistant", "new", "2.5"))
            + event("3", "thread.cancelled", turn("t", "cancelled", "")));
    Ending _ = reader.read("s", "t", new BigDecimal("1.5"));
    assertEquals(List.of("  new"), lines.read());
  }

  @Test
  void eachRequestIsLookedAtAlsoWhereItsTurnStaysAsItIs() throws InterruptedException {
    String held = turn("t", "requires_action", "");
    service.answers(
        STREAM,
        200,
        event("1", "thread.requires_action", held)
            + event("2", "request.created", request("r"))
            + event("3", "request.created", request("q"))
            + event("4", "thread.completed", turn("t", "completed", "")));
    service.answers("GET /requests?session_id=s", 200, asked("r"));
    service.answers("GET /requests?session_id=s", 200, asked("r"));
    service.answers("GET /requests?session_id=s", 200, asked("q"));
    List<String> shown = new ArrayList<>();
    ShownRequest request = new ShownRequest(api, each -> shown.add(each.id()));
    TurnReader.Watcher looking =
        (id, turn) -> {
          request.look(id, turn);
          return true;
        };
    Ending _ = new TurnReader(api, lines.transcript()::show, looking).read("s", "t", null);
    assertEquals(List.of("r", "q"), shown);
  }

  @Test
  void aSessionThatIsDeletedIsSaid() {
    service.answers(STREAM, 200, end("1", "deleted"));
    ChatFailure failure = assertThrows(ChatFailure.class, () -> reader.read("s", "t", null));
    assertEquals("The session was deleted", failure.reason());
  }

  private static String message(String id, String message) {
    return event(id, "message.created", message);
  }

  private static String end(String id, String reason) {
    return event(id, "end", "{\"reason\":\"%s\"}".formatted(reason));
  }

  private static String event(String id, String type, String data) {
    return "event: %s\nid: %s\ndata: %s\n\n".formatted(type, id, data.replace("\n", ""));
  }
}
