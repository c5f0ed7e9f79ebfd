package agentsessions.turn;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.rule.Ceiling;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSession;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.usage.Usage;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The rest of a session's ceiling leaves out the usage of earlier turns, by whichever way and at
/// whatever time their sandbox was released.
class SessionCeilingTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final String URL = "http://service";
  private static final long MOST = 10;
  private static final long USED = 4;
  private static final List<Ceiling> LEFT =
      List.of(new Ceiling(Ceiling.Scope.SESSION, Ceiling.Unit.REQUESTS, MOST, USED));

  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws = InMemoryAws.of(clock);

  @Test
  void aClaimThatSettlesForADeadRunnerCountsWhatThatUsed() {
    Turn dead = worked();
    Turn next = interrupting(dead);
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
    assertEquals(LEFT, claimed(state(next)).budget().ceilings());
  }

  @Test
  void aReleaseAfterTheSessionWasReadCountsToo() {
    Turn before = worked();
    Turn next = interrupting(before);
    ClaimState state = state(next);
    aws.sandboxes().release(load(before), true, Optional.empty());
    assertEquals(LEFT, claimed(state).budget().ceilings());
  }

  /// A turn whose runner has said that it used something.
  private Turn worked() {
    Ceilings session = new Ceilings(null, null, MOST, null);
    NewSession newSession =
        new NewSession(
            "shell",
            "hi",
            null,
            Map.of(),
            SessionInputs.NONE,
            null,
            new Ceilings.OfSession(Ceilings.NONE, session),
            null,
            "key");
    Turn turn = accepted(aws.intake().create(WORKSPACE, newSession, URL, null));
    recordLaunch(turn);
    Turn running = claimed(state(turn)).turn();
    Usage used = new Usage(USED, List.of(), 0, true, Usage.Guess.NONE);
    assertTrue(aws.claims().renew(running, Optional.of(used)));
    return running;
  }

  private Turn interrupting(Turn turn) {
    Turn next =
        accepted(aws.intake().followUp(turn.key().sessionKey(), FollowUp.of("more"), URL, null));
    recordLaunch(next);
    return next;
  }

  private void recordLaunch(Turn turn) {
    aws.dispatches().recordLaunch(turn, "ticket", Duration.ofSeconds(45));
  }

  /// The state that a claim begins from, as it is read now.
  private ClaimState state(Turn turn) {
    Optional<Session> session = aws.sessions().load(turn.key().sessionKey());
    return new ClaimState(
        load(turn), Optional.empty(), Optional.empty(), session, SpendingLimits.ANY);
  }

  private Claims.Outcome.Granted claimed(ClaimState state) {
    Claims.Request request =
        new Claims.Request("ticket", "claim", 1000, "token", Duration.ofHours(1));
    return assertInstanceOf(Claims.Outcome.Granted.class, aws.claims().claim(state, request));
  }

  private Turn load(Turn turn) {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
