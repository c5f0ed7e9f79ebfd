package agentsessions.chat.transcript;

import static agentsessions.chat.Pages.FIRST;
import static agentsessions.chat.Pages.line;
import static agentsessions.chat.Pages.page;
import static agentsessions.chat.Pages.reply;
import static agentsessions.chat.Pages.said;
import static agentsessions.chat.Pages.turn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.Lines;
import agentsessions.chat.StandIn;
import agentsessions.chat.api.Api;
import agentsessions.chat.transcript.TurnReader.Ending;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests that following a thread misses nothing and repeats nothing.
class TurnReaderTest {
  private final StandIn service = new StandIn();
  private final Api api = new Api(service.access(), notice -> {});
  private final Lines lines = new Lines();
  private final TurnReader reader =
      new TurnReader(api, lines.transcript()::show, (id, turn) -> true);

  TurnReaderTest() throws IOException {}

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void everyMessageIsReadOnceAndInOrder() throws InterruptedException {
    String running = turn("t", "running", "");
    service.answers(
        line("t", FIRST),
        200,
        page("t", running, "next", "&cursor=c", said("t", "assistant", "one", "1.5")));
    service.answers(
        line("t", FIRST + "&cursor=c"),
        200,
        page("t", running, "", "&gts=2.000001", said("t", "assistant", "two", "2.000001")));
    String gts = line("t", FIRST + "&gts=2.000001");
    service.answers(gts, 200, page("t", running, "", "&gts=2.000001"));
    service.answers(
        gts,
        200,
        page("t", turn("t", "completed", ""), "", "&gts=9", reply("t", "done", "completed")));
    Ending ending = reader.read("s", "t", null);
    assertEquals(java.util.List.of("  one", "  two", "done"), lines.read());
    assertEquals("completed", ending.turn().status());
    assertEquals("done", ending.reply().orElseThrow().message());
  }

  @Test
  void whatWasSaidWhileThePageWasReadIsAskedForAgain() throws InterruptedException {
    String completed = turn("t", "completed", "");
    service.answers(line("t", FIRST), 200, page("t", completed, "", ""));
    service.answers(
        line("t", FIRST), 200, page("t", completed, "", "", reply("t", "late", "completed")));
    assertEquals("late", reader.read("s", "t", null).reply().orElseThrow().message());
  }

  @Test
  void anInterruptedThreadEndsWithoutAReply() throws InterruptedException {
    service.answers(line("t", FIRST), 200, page("t", turn("t", "interrupted", "u"), "", ""));
    Ending ending = reader.read("s", "t", null);
    assertTrue(ending.reply().isEmpty());
    assertEquals("u", ending.turn().supersededBy());
  }
}
