package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Ending;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.store.message.NumberedPages;
import agentsessions.table.RetryDeadline;
import agentsessions.table.Unavailable;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A client that asks for a reply while the table shows a part of its transaction only waits for
/// the rest, and is told to come again where that does not come.
class TornEndingTest {
  private static final int MORE_THAN_A_FEW = 7;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final TornTable torn = new TornTable(new InMemoryTable(InMemoryAws.TABLE), new Random(1));
  private final InMemoryAws aws =
      InMemoryAws.of(torn, new InMemoryBucket(), new NoMachine(), new SettableClock());
  private final Turn turn = completed("done");

  @Test
  void aReplyThatIsNotVisibleYetIsWaitedFor() {
    torn.hide("F#", MORE_THAN_A_FEW);
    assertEquals(
        "done", text(RetryDeadline.within(LONG, () -> aws.history().closing(turn).orElseThrow())));
  }

  @Test
  void aReplyThatDoesNotComeIsUnavailable() {
    torn.hide("F#", Integer.MAX_VALUE);
    assertThrows(
        Unavailable.class, () -> RetryDeadline.within(SHORT, () -> aws.history().closing(turn)));
  }

  @Test
  void aNumberedPageIsWhole() {
    hideEnding(MORE_THAN_A_FEW);
    assertEquals(List.of("hi", "done"), texts(RetryDeadline.within(LONG, () -> page(turn))));
  }

  @Test
  void aNumberedPageThatStaysTornIsUnavailable() {
    hideEnding(Integer.MAX_VALUE);
    assertThrows(Unavailable.class, () -> RetryDeadline.within(SHORT, () -> page(turn)));
  }

  @Test
  void aNumberedPageNeedsNoCopies() {
    torn.hide("M#", Integer.MAX_VALUE);
    assertEquals(List.of("hi", "done"), texts(RetryDeadline.within(SHORT, () -> page(turn))));
  }

  @Test
  void aLongReplyThatIsSeenByItsCopyOnlyIsWaitedFor() {
    String reply = "done".repeat(2_000);
    Turn other = completed(reply);
    torn.hide("F#", MORE_THAN_A_FEW);
    assertEquals(List.of("hi", reply), texts(RetryDeadline.within(LONG, () -> page(other))));
    torn.hide("F#", Integer.MAX_VALUE);
    assertThrows(Unavailable.class, () -> RetryDeadline.within(SHORT, () -> page(other)));
  }

  /// A message is kept twice.
  private void hideEnding(int reads) {
    torn.hide("F#", reads);
    torn.hide("M#", reads);
  }

  private List<String> texts(NumberedPages.Page page) {
    return page.messages().stream().map(this::text).toList();
  }

  private NumberedPages.Page page(Turn of) {
    NumberedPages.Wanted all =
        new NumberedPages.Wanted(EnumSet.allOf(MessageKind.class), true, 0, 50);
    return aws.pages().page(aws.pages().counted(of.key()).orElseThrow(), all).orElseThrow();
  }

  private String text(Message message) {
    return aws.history().text(message);
  }

  private Turn completed(String reply) {
    Turn queued = aws.claimed();
    aws.endings().end(load(queued), Ending.completed(reply, List.of()), Plans.NONE);
    return load(queued);
  }

  private Turn load(Turn any) {
    return aws.turns().load(any.key()).orElseThrow();
  }
}
