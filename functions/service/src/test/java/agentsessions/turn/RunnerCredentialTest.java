package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.Turn;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunnerCredentialTest {
  private static final Turn TURN =
      new Turn(
          new SessionKey(new Workspace("w"), new SessionId(new UUID(1, 1)))
              .turn(new TurnId(new UUID(2, 2))),
          "shell",
          1,
          "http://service",
          new Turn.Stamps(Stamp.ZERO, Stamp.ZERO, new Stamp(5)),
          Turn.Counts.NONE,
          3,
          1000,
          Turn.Work.NONE,
          new Turn.State.Running(
              new Turn.Claimed(Instant.EPOCH, Instant.MAX), Instant.MAX, Instant.MAX),
          Turn.Account.open("key"));

  private final RunnerCredential ticket = RunnerCredential.ticket(TURN, 0);

  @Test
  void aPassIsReadAgainFromItsHeader() {
    assertEquals(Optional.of(ticket), RunnerCredential.parse("Bearer " + ticket.text()));
    assertEquals(Optional.of(ticket), RunnerCredential.parse("bearer " + ticket.text()));
  }

  @Test
  void aTicketKnowsItsDispatch() {
    assertEquals(3, RunnerCredential.parse("Bearer " + ticket.text()).orElseThrow().dispatch());
  }

  @Test
  void aTicketKnowsTheStampOfItsMessage() {
    assertEquals(Optional.of(Stamp.ZERO), ticket.firstStamp());
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
