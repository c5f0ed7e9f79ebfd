package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Acceptance;
import agentsessions.session.Ending;
import agentsessions.session.Message;
import agentsessions.session.NewSession;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.id.Workspace;
import agentsessions.table.item.TurnRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A short reply is kept with its turn as well, where the one read of a poll finds it.
class PolledReplyTest {
  private static final Workspace WORKSPACE = new Workspace("w");

  private final InMemoryAws aws =
      InMemoryAws.of(
          new InMemoryTable(InMemoryAws.TABLE),
          new InMemoryBucket(),
          new NoMachine(),
          new SettableClock());

  @Test
  void aShortReplyIsFoundWithItsTurnAndIsTheMessage() {
    Turn turn = completed("é".repeat(TurnRow.REPLY_BYTES / 2));
    assertEquals(message(turn), found(turn).closing());
  }

  @Test
  void aLongerReplyIsAMessageOnly() {
    Turn turn = completed("é".repeat(TurnRow.REPLY_BYTES / 2) + "!");
    assertTrue(found(turn).closing().isEmpty());
    assertTrue(message(turn).isPresent());
  }

  @Test
  void aLiveTurnHasNone() {
    assertTrue(found(claimed()).closing().isEmpty());
  }

  @Test
  void nothingIsFoundInADeletedSession() {
    Turn turn = completed("done");
    assertTrue(aws.endings().delete(turn.key().session()));
    assertTrue(aws.turns().find(turn.key()).isEmpty());
  }

  private TurnRow found(Turn turn) {
    return aws.turns().find(turn.key()).orElseThrow();
  }

  private Optional<Message> message(Turn turn) {
    return aws.history().closing(turn);
  }

  private Turn completed(String reply) {
    Turn turn = claimed();
    assertTrue(aws.endings().end(turn, Ending.completed(reply, List.of()), Plans.NONE));
    return load(turn);
  }

  private Turn claimed() {
    Acceptance accepted =
        aws.intake().create(WORKSPACE, NewSession.of("shell", "hi"), "http://service", null);
    Turn queued = ((Acceptance.Accepted) accepted).turn();
    aws.dispatches().handOver(queued, "ticket", Duration.ofSeconds(45));
    aws.claim(queued, "ticket", "claim", 1000, "token", Duration.ofHours(1));
    return load(queued);
  }

  private Turn load(Turn any) {
    return aws.turns().load(any.key()).orElseThrow();
  }
}
