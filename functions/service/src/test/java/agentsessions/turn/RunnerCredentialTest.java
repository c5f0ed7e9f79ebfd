package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.testing.SettableClock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunnerCredentialTest {
  private static final Turn TURN = InMemoryAws.of(new SettableClock()).accepted();

  private final RunnerCredential ticket = RunnerCredential.ticket(TURN, 0);

  @Test
  void aPassIsReadAgainFromItsHeader() {
    assertEquals(Optional.of(ticket), RunnerCredential.parse("Bearer " + ticket.text()));
    assertEquals(Optional.of(ticket), RunnerCredential.parse("bearer " + ticket.text()));
  }

  @Test
  void aTicketKnowsItsDispatch() {
    assertEquals(
        TURN.dispatch(),
        RunnerCredential.parse("Bearer " + ticket.text()).orElseThrow().dispatch());
  }

  @Test
  void aTicketKnowsTheStampOfItsMessage() {
    assertEquals(Optional.of(TURN.firstStamp()), ticket.firstStamp());
    RunnerCredential later =
        new RunnerCredential(TURN.key(), "3-1795262400000000-0-" + "-".repeat(43));
    assertEquals(Optional.of(new Stamp(1_795_262_400_000_000L)), later.firstStamp());
  }

  @Test
  void aTicketIsForItsAttemptAlone() {
    assertTrue(RunnerCredential.ticket(TURN, 2).isFor(2));
    assertFalse(RunnerCredential.ticket(TURN, 2).isFor(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0-0", "3-1795262400000000-", "3-1795262400000000-0000-", "3-"})
  void whatNamesNoStampOrNoAttemptIsNoTicket(String beginning) {
    RunnerCredential other = new RunnerCredential(TURN.key(), beginning + "x".repeat(43));
    assertEquals(Optional.empty(), other.firstStamp());
    assertFalse(other.isFor(0));
  }

  @Test
  void aRepeatedClaimGetsTheSameToken() {
    assertEquals(ticket.token(TURN, "claim", 3000), ticket.token(TURN, "claim", 3000));
    assertNotEquals(ticket.token(TURN, "claim", 3000), ticket.token(TURN, "claim", 3001));
    assertNotEquals(ticket.token(TURN, "claim", 3000), ticket.token(TURN, "other", 3000));
    assertNotEquals(
        ticket.token(TURN, "claim", 3000),
        RunnerCredential.ticket(TURN, 0).token(TURN, "claim", 3000));
  }

  @Test
  void aPassKeepsItsSecretFromLogs() {
    assertFalse(ticket.toString().contains(ticket.secret()));
    assertTrue(ticket.hash().matches("[0-9a-f]{64}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer a.b.c.d", "Bearer a.b.c", "Basic x"})
  void anythingElseIsNoPass(String header) {
    assertEquals(Optional.empty(), RunnerCredential.parse(header));
  }
}
