package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.aws.Budget;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.aws.NumberedPages;
import agentsessions.aws.Unavailable;
import agentsessions.session.Acceptance;
import agentsessions.session.Ending;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Opening;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.Workspace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Who asks for a reply while the table shows a part of its transaction only waits for the rest,
/// and is told to come again where it does not come.
class TornEndingTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final int MORE_THAN_A_FEW = 7;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final TornTable torn = new TornTable(new InMemoryTable(InMemoryAws.TABLE), new Random(1));
  private final InMemoryAws aws =
      InMemoryAws.of(torn, new InMemoryBucket(), new NoMachine(), new SettableClock());
  private final Turn turn = completed();

  @Test
  void aReplyThatIsNotVisibleYetIsWaitedFor() {
    torn.hide("F#", MORE_THAN_A_FEW);
    assertEquals(
        "done", text(Budget.within(LONG, () -> aws.history().closing(turn).orElseThrow())));
  }

  @Test
  void aReplyThatDoesNotComeIsUnavailable() {
    torn.hide("F#", Integer.MAX_VALUE);
    assertThrows(Unavailable.class, () -> Budget.within(SHORT, () -> aws.history().closing(turn)));
  }

  @Test
  void aNumberedPageIsWhole() {
    torn.hide("F#", MORE_THAN_A_FEW);
    assertEquals(
        List.of("hi", "done"),
        Budget.within(LONG, this::page).messages().stream().map(this::text).toList());
  }

  @Test
  void aNumberedPageThatStaysTornIsUnavailable() {
    torn.hide("F#", Integer.MAX_VALUE);
    assertThrows(Unavailable.class, () -> Budget.within(SHORT, this::page));
  }

  private NumberedPages.Page page() {
    NumberedPages.Wanted all =
        new NumberedPages.Wanted(EnumSet.allOf(MessageKind.class), true, 0, 50);
    return aws.pages().page(List.of(turn), all).orElseThrow();
  }

  private String text(Message message) {
    return aws.history().text(message);
  }

  private Turn completed() {
    Acceptance accepted =
        aws.intake().create(WORKSPACE, Opening.of("shell", "hi"), "http://service", null);
    Turn queued = ((Acceptance.Accepted) accepted).turn();
    aws.dispatches().handOver(queued, "ticket", Duration.ofSeconds(45));
    aws.claim(queued, "ticket", "claim", 1000, "token", Duration.ofHours(1));
    aws.endings().end(load(queued), Ending.completed("done", List.of()), Plans.NONE);
    return load(queued);
  }

  private Turn load(Turn any) {
    return aws.turns().load(any.key()).orElseThrow();
  }
}
