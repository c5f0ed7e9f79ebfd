package agentsessions.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.FollowUp;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.table.ChangeSignal;
import agentsessions.testing.SettableClock;
import agentsessions.turn.RunnerCredential;
import agentsessions.turn.SlowTable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The answers to a runner that asks whether its turn is live, and leaves the question open.
class LivenessTest {
  private final InMemoryAws aws =
      InMemoryAws.of(
          new SlowTable(new InMemoryTable(InMemoryAws.TABLE)),
          new InMemoryBucket(),
          new NoMachine(),
          new SettableClock());
  private final LivenessController liveness = new LivenessController(aws.turns(), aws.signal());
  private final Turn turn = aws.accepted();
  private final RunnerCredential token = new RunnerCredential(turn.key(), "secret");

  LivenessTest() {
    aws.dispatches().recordLaunch(turn, "ticket", Duration.ofSeconds(45));
    aws.claim(turn, "ticket", "claim", 1000, token.hash(), Duration.ofHours(1));
  }

  @Test
  void anOpenQuestionIsAnsweredWhenAFollowUpComes() {
    CompletableFuture<Boolean> live = CompletableFuture.supplyAsync(() -> isLive("20"));
    aws.intake()
        .followUp(turn.key().sessionKey(), FollowUp.of("stop that"), "http://service", null);
    assertFalse(live.join());
  }

  @Test
  void anOpenQuestionIsAnsweredWhenTheSessionIsDeleted() {
    CompletableFuture<Boolean> live = CompletableFuture.supplyAsync(() -> isLive("20"));
    aws.endings().delete(turn.key().sessionKey());
    assertFalse(live.join());
  }

  @Test
  void aQuestionIsAnsweredAtOnceWhereOthersMakeChangesToo() {
    LivenessController elsewhere = new LivenessController(aws.turns(), new ChangeSignal(false));
    assertTrue(elsewhere.live("Bearer " + token.text(), "20").live());
  }

  @Test
  void aLiveTurnIsLive() {
    assertTrue(isLive(null));
    assertTrue(isLive("0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"21", "-1", "", "1.5", "x", "999999999999"})
  void anOddWaitIsRefused(String wait) {
    assertEquals(Refusal.Code.VALIDATION, assertThrows(Refusal.class, () -> isLive(wait)).code());
  }

  @Test
  void whoHasNoTokenWaitsForNothing() {
    String forged = "Bearer " + new RunnerCredential(turn.key(), "guessed").text();
    assertEquals(
        Refusal.Code.NOT_LIVE,
        assertThrows(Refusal.class, () -> liveness.live(forged, "20")).code());
  }

  private boolean isLive(@Nullable String wait) {
    return liveness.live("Bearer " + token.text(), wait).live();
  }
}
