package agentsessions.turn.intake;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.aws.InMemoryAws;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.NewSession;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The record of an `Idempotency-Key` counts for a day, even if the table has not removed it by
/// then.
class KeptAnswersTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Duration DAY = Duration.ofHours(24);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws = InMemoryAws.of(clock);

  @Test
  void aFollowUpIsAnsweredAgainForADayThenAcceptedAnew() {
    SessionKey key = accepted(create("one")).key().sessionKey();
    Turn turn = accepted(followUp(key));
    clock.pass(DAY.minus(SECOND));
    assertEquals(new Acceptance.Replayed(turn.receipt()), followUp(key));
    clock.pass(SECOND);
    assertEquals(3, accepted(followUp(key)).number());
  }

  @Test
  void soIsASession() {
    Turn turn = accepted(create("one"));
    clock.pass(DAY.minus(SECOND));
    assertEquals(new Acceptance.Replayed(turn.receipt()), create("one"));
    clock.pass(SECOND);
    assertEquals(1, accepted(create("one")).number());
  }

  private Acceptance create(String key) {
    return aws.intake()
        .create(
            WORKSPACE,
            NewSession.of("shell", "hi"),
            "http://service",
            new Idempotency(key, "the body of a session"));
  }

  private Acceptance followUp(SessionKey key) {
    return aws.intake()
        .followUp(
            key,
            FollowUp.of("more"),
            "http://service",
            new Idempotency("another", "the body of a follow-up"));
  }
}
