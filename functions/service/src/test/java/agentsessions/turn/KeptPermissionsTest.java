package agentsessions.turn;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSessions;
import agentsessions.session.OnRunning;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.input.ToolPermissions.Kind;
import agentsessions.session.input.ToolPermissions.Policy;
import agentsessions.session.input.ToolPermissions.Rule;
import agentsessions.store.session.Sessions;
import agentsessions.testing.SettableClock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A turn keeps the permissions with which it began, whatever becomes of those of its session.
class KeptPermissionsTest {
  private static final ToolPermissions STRICT =
      new ToolPermissions(
          Policy.DENY,
          List.of(
              new Rule(Kind.READ, null, null, Policy.ALLOW),
              new Rule(null, "Bash", "*git *", Policy.ALLOW)),
          ToolPermissions.Asking.USUAL);
  private static final ToolPermissions LOOSE =
      new ToolPermissions(
          Policy.ALLOW,
          List.of(new Rule(Kind.FETCH, null, null, Policy.DENY)),
          ToolPermissions.Asking.USUAL);

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new RecordedTaskCalls(), new SettableClock());

  @Test
  void aChangeCountsFromTheNextTurn() {
    Turn first = created(STRICT);
    SessionKey key = first.key().sessionKey();
    assertEquals(Optional.of(STRICT), shown(key));
    assertEquals(Optional.of(LOOSE), changed(key, LOOSE));
    assertEquals(STRICT, loaded(first));
    Turn second = followUp(key, OnRunning.INTERRUPT);
    assertEquals(Optional.empty(), changed(key, null));
    assertEquals(LOOSE, loaded(second));
    assertEquals(
        new TurnInputs.Loaded.Nothing(), aws.inputs().of(followUp(key, OnRunning.INTERRUPT)));
    assertEquals(STRICT, loaded(aws.turns().load(first.key()).orElseThrow()));
  }

  @Test
  void aTurnThatWaitsTakesThoseOfItsBeginning() {
    SessionKey key = created(STRICT).key().sessionKey();
    Turn waiting = followUp(key, OnRunning.QUEUE);
    assertEquals(null, waiting.work().permissions());
    Optional<?> _ = changed(key, LOOSE);
    Optional<Turn> _ = aws.endings().cancel(key, new Endings.Cancellation(true, null));
    assertEquals(LOOSE, loaded(aws.turns().load(waiting.key()).orElseThrow()));
  }

  @Test
  void whatIsChangedBackIsNotKeptTwice() {
    SessionKey key = created(null).key().sessionKey();
    for (ToolPermissions next : List.of(STRICT, LOOSE, STRICT)) {
      assertEquals(Optional.of(next), changed(key, next));
    }
    assertEquals(2, kept());
  }

  @Test
  void aTurnWhosePermissionsAreGoneDoesNotRun() {
    Turn turn = created(STRICT);
    table.contents().keySet().removeIf(item -> item.sk().startsWith("PERMISSIONS#"));
    assertThrows(IllegalStateException.class, () -> aws.inputs().of(turn));
  }

  @Test
  void aPurgeLeavesNoneOfThem() {
    SessionKey key = created(STRICT).key().sessionKey();
    assertTrue(aws.endings().delete(key));
    aws.purge().step(key);
    aws.purge().step(key);
    assertEquals(0, kept());
    assertFalse(table.contents().toString().contains(STRICT.version()));
  }

  /// No part of a rule can pass for another.
  @Test
  void differentPermissionsHaveDifferentVersions() {
    List<ToolPermissions> all =
        Stream.of(
                new Rule(null, "a", null, Policy.DENY),
                new Rule(null, null, "a", Policy.DENY),
                new Rule(null, "a\n-", null, Policy.DENY),
                new Rule(null, "a", "-", Policy.DENY),
                new Rule(Kind.READ, "a", null, Policy.DENY),
                new Rule(null, "a", null, Policy.ALLOW))
            .map(rule ->
                new ToolPermissions(Policy.DENY, List.of(rule), ToolPermissions.Asking.USUAL))
            .toList();
    assertEquals(all.size(), all.stream().map(ToolPermissions::version).distinct().count());
    assertNotEquals(
        STRICT.version(),
        new ToolPermissions(Policy.ALLOW, STRICT.rules(), ToolPermissions.Asking.USUAL).version());
  }

  private Turn created(@Nullable ToolPermissions permissions) {
    return load(aws.accepted(NewSessions.with(permissions, "key")));
  }

  private Turn followUp(SessionKey key, OnRunning onRunning) {
    return load(
        accepted(
            aws.intake().followUp(key, FollowUp.of("more", onRunning), "http://service", null)));
  }

  private Turn load(Turn turn) {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  private Optional<ToolPermissions> changed(SessionKey key, @Nullable ToolPermissions next) {
    Sessions.Patch patch =
        new Sessions.Patch(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Optional.ofNullable(next)));
    return aws.sessions().change(key, patch).orElseThrow().permissions();
  }

  private Optional<ToolPermissions> shown(SessionKey key) {
    return aws.sessions().loadWithPlans(key).orElseThrow().permissions();
  }

  private @Nullable ToolPermissions loaded(Turn turn) {
    return assertInstanceOf(TurnInputs.Loaded.Ready.class, aws.inputs().of(turn)).permissions();
  }

  private long kept() {
    return table.contents().keySet().stream()
        .filter(item -> item.sk().startsWith("PERMISSIONS#"))
        .count();
  }
}
