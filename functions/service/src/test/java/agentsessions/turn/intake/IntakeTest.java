package agentsessions.turn.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.NewSession;
import agentsessions.session.Receipt;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import agentsessions.testing.SettableClock;
import agentsessions.turn.Endings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A message is accepted once: the answer to a repeat, and the most turns of one workspace that may
/// be live at once.
class IntakeTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Idempotency KEY = new Idempotency("key", "body");
  private static final Idempotency KEY_OF_FOLLOW_UP = new Idempotency("another", "body");

  private static final Acceptance FULL = new Acceptance.TooManyTurns(InMemoryAws.MOST_LIVE_TURNS);

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), new SettableClock());
  private final List<SessionKey> sessions = new ArrayList<>();

  @BeforeEach
  void aWorkspaceWithAsManyTurnsAsItMayHave() {
    assertInstanceOf(Acceptance.Accepted.class, create(WORKSPACE, KEY));
    for (int i = 1; i < InMemoryAws.MOST_LIVE_TURNS; i++) {
      assertInstanceOf(Acceptance.Accepted.class, create(WORKSPACE, null));
    }
  }

  @Test
  void oneMoreIsRefusedAndChangesNothing() {
    int items = table.contents().size();
    assertEquals(FULL, create(WORKSPACE, null));
    assertEquals(FULL, create(WORKSPACE, new Idempotency("other", "body")));
    assertEquals(items, table.contents().size());
  }

  @Test
  void anotherWorkspaceDoesNotFeelIt() {
    assertInstanceOf(Acceptance.Accepted.class, create(new Workspace("other"), null));
  }

  @Test
  void aRepeatIsAnsweredAllTheSame() {
    assertInstanceOf(Acceptance.Replayed.class, create(WORKSPACE, KEY));
    assertEquals(new Acceptance.KeyReused(), create(WORKSPACE, new Idempotency("key", "changed")));
  }

  @Test
  void aRepeatIsGivenTheSameAlsoWhenNothingElseIsLeft() {
    SessionKey sessionKey = sessions.getFirst();
    Receipt created = aws.turns().load(current(sessionKey)).orElseThrow().receipt();
    Acceptance sent = followUp(sessionKey, KEY_OF_FOLLOW_UP);
    table.contents().keySet().removeIf(key -> key.pk().endsWith("#S#" + sessionKey.id()));
    assertEquals(new Acceptance.Replayed(created), create(WORKSPACE, KEY));
    assertEquals(
        new Acceptance.Replayed(((Acceptance.Accepted) sent).turn().receipt()),
        followUp(sessionKey, KEY_OF_FOLLOW_UP));
  }

  @Test
  void aFollowUpToAWorkingSessionCountsForNone() {
    assertInstanceOf(Acceptance.Accepted.class, followUp(sessions.getFirst()));
  }

  @Test
  void aTurnThatEndsMakesRoomForOne() {
    SessionKey idle = sessions.getFirst();
    assertEquals(true, aws.endings().cancel(idle, Endings.Cancellation.ALL).isPresent());
    assertInstanceOf(Acceptance.Accepted.class, create(WORKSPACE, null));
    assertEquals(FULL, followUp(idle));
  }

  private Acceptance create(Workspace workspace, @Nullable Idempotency key) {
    Acceptance acceptance =
        aws.intake().create(workspace, NewSession.of("shell", "hi"), "http://service", key);
    if (acceptance instanceof Acceptance.Accepted accepted) {
      sessions.add(accepted.turn().key().sessionKey());
    }
    return acceptance;
  }

  private Acceptance followUp(SessionKey key) {
    return followUp(key, null);
  }

  private Acceptance followUp(SessionKey sessionKey, @Nullable Idempotency key) {
    return aws.intake().followUp(sessionKey, FollowUp.of("more"), "http://service", key);
  }

  private TurnKey current(SessionKey key) {
    return aws.sessions().load(key).orElseThrow().current();
  }
}
