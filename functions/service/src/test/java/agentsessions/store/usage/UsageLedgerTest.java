package agentsessions.store.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.rule.UsedTokens;
import agentsessions.session.Artifact;
import agentsessions.session.DailyUsage;
import agentsessions.session.Ending;
import agentsessions.session.NewSessions;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Usage;
import agentsessions.table.TimeOrderedIds;
import agentsessions.testing.SettableClock;
import agentsessions.turn.Endings;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The usage of a turn is added to the day in which it is settled, by agent, model and key.
class UsageLedgerTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final UsedTokens TOKENS = new UsedTokens(1, 2, 3, 4, 5);

  /// The further write of an ending where a workspace has webhooks: one item, however many events.
  private static final int OUTBOX = 1;

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);

  @Test
  void aTurnOfSeveralModelsIsOneTurnThatRanOnce() {
    Turn turn = claimed("key");
    clock.pass(Duration.ofSeconds(2));
    // One more than is said of the models; of "b" nobody knows the price.
    end(turn, 4, model("a", 1, 7L), model("b", 2, null));
    LocalDate today = today();
    List<DailyUsage> sums = sums();
    assertEquals(
        List.of(
            new DailyUsage.Of(today, "shell", "a", "key"),
            new DailyUsage.Of(today, "shell", "b", "key")),
        sums.stream().map(DailyUsage::of).toList());
    DailyUsage first = sums.getFirst();
    DailyUsage second = sums.getLast();
    assertEquals(List.of(1L, 0L), List.of(first.turns(), first.again()));
    assertEquals(List.of(0L, 1L), List.of(second.turns(), second.again()));
    assertEquals(List.of(2L, 2L), List.of(first.spent().requests(), second.spent().requests()));
    assertEquals(List.of(2000L, 0L), List.of(first.spent().millis(), first.againMillis()));
    assertEquals(List.of(0L, 2000L), List.of(second.spent().millis(), second.againMillis()));
    assertEquals(TOKENS, second.spent().tokens());
    assertEquals(7, first.spent().microDollars());
    assertEquals(List.of(0L, 1L), List.of(first.spent().unpriced(), second.spent().unpriced()));
  }

  @Test
  void whatTurnsUseIsAddedUp() {
    end(claimed("key"), 1, model("a", 1, 7L));
    end(claimed("key"), 1, model("a", 1, 7L));
    assertEquals(2, sums().stream().mapToLong(DailyUsage::turns).sum());
    assertEquals(14, sums().stream().mapToLong(tally -> tally.spent().microDollars()).sum());
    assertEquals(
        Map.of(today(), 14L), aws.ledger().spent(WORKSPACE, today().minusDays(1), today()));
  }

  @Test
  void aTurnWithoutAModelCountsToo() {
    end(claimed("key"), 0);
    DailyUsage only = sums().getFirst();
    assertEquals(new DailyUsage.Of(today(), "shell", null, "key"), only.of());
    assertEquals(1, only.turns());
  }

  @Test
  void aTurnThatItsClientEndedCountsOnTheDayOnWhichItLetsGo() {
    Turn turn = claimed("key");
    aws.endings().cancel(turn.key().sessionKey(), Endings.Cancellation.ALL);
    assertEquals(List.of(), sums());
    clock.pass(Duration.ofDays(1));
    aws.sandboxes().release(turn, true, Optional.empty());
    aws.sandboxes().release(turn, true, Optional.empty());
    assertEquals(List.of(today()), sums().stream().map(tally -> tally.of().day()).toList());
    assertEquals(1, sums().getFirst().turns());
  }

  @Test
  void aTurnThatNobodyClaimedIsNone() {
    Turn turn = queued("key");
    aws.endings().cancel(turn.key().sessionKey(), Endings.Cancellation.ALL);
    assertEquals(List.of(), sums());
  }

  @Test
  void atMostEightModelsOfATurnAreNamed() {
    Usage.OfModel[] many =
        IntStream.range(0, 9)
            .mapToObj(number -> model("model#" + number, 1, 1L))
            .toArray(Usage.OfModel[]::new);
    end(claimed("key"), 9, many);
    List<DailyUsage> sums = sums();
    assertEquals(9, sums.size());
    assertEquals("other", sums.getLast().of().model());
    assertEquals(9, sums.stream().mapToLong(tally -> tally.spent().requests()).sum());
  }

  @Test
  void theLargestEndingFitsATransaction() {
    Turn turn = claimed("key");
    int before = table.contents().size();
    List<ArtifactId> ids = TimeOrderedIds.artifacts(Stamp.of(clock.instant()), 40);
    List<Artifact> plans = new ArrayList<>();
    for (ArtifactId id : ids) {
      plans.add(plan(turn, id, "/workspace/plans/%s.md".formatted(id)));
    }
    List<Usage.OfModel> models =
        IntStream.range(0, Usage.MOST_MODELS)
            .mapToObj(number -> model("model-" + number, 1, 1L))
            .toList();
    Ending ending =
        Ending.completed("done", plans).using(new Usage(9, models, 0, true, Usage.Guess.NONE));
    assertTrue(aws.endings().end(turn, ending, Plans.NONE));
    // What is new, and what is changed: turn and session; the pointer of a working session went.
    int writes = table.contents().size() - before + 2 + 2;
    assertTrue(writes + OUTBOX < 100, () -> writes + " writes");
    assertEquals(9, sums().size());
  }

  private void end(Turn turn, long requests, Usage.OfModel... models) {
    Usage usage = new Usage(requests, List.of(models), 0, true, Usage.Guess.NONE);
    assertTrue(
        aws.endings().end(turn, Ending.completed("done", List.of()).using(usage), Plans.NONE));
  }

  private static Usage.OfModel model(String name, long requests, @Nullable Long microDollars) {
    return new Usage.OfModel(name, requests, TOKENS, microDollars);
  }

  private List<DailyUsage> sums() {
    return aws.ledger().list(WORKSPACE, today(), today(), 100);
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private static Artifact plan(Turn turn, ArtifactId id, String path) {
    return new Artifact(
        id,
        turn.key(),
        path,
        Artifact.planId(turn.sessionId(), path),
        1,
        "0".repeat(64),
        "text/markdown",
        "key",
        Instant.EPOCH);
  }

  private Turn claimed(String keyId) {
    return aws.claimed(queued(keyId));
  }

  private Turn queued(String keyId) {
    return aws.accepted(NewSessions.with(null, keyId));
  }
}
