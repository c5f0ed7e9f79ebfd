package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.session.Acceptance;
import agentsessions.session.Idempotency;
import agentsessions.session.SessionId;
import agentsessions.session.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sfn.SfnClient;

/// How many turns of one workspace may be live at once.
class IntakeTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Idempotency KEY = new Idempotency("key", "body");
  private static final Acceptance FULL = new Acceptance.TooManyTurns(InMemoryAws.MOST_LIVE_TURNS);

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), new SettableClock());
  private final List<SessionId> sessions = new ArrayList<>();

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
  void aFollowUpToAWorkingSessionCountsForNone() {
    assertInstanceOf(Acceptance.Accepted.class, followUp(sessions.getFirst()));
  }

  @Test
  void aTurnThatEndsMakesRoomForOne() {
    SessionId idle = sessions.getFirst();
    assertEquals(true, aws.endings().cancel(WORKSPACE, idle).isPresent());
    assertInstanceOf(Acceptance.Accepted.class, create(WORKSPACE, null));
    assertEquals(FULL, followUp(idle));
  }

  private Acceptance create(Workspace workspace, @Nullable Idempotency key) {
    Acceptance acceptance =
        aws.intake()
            .create(workspace, "shell", "hi", null, Map.of(), "http://service", key, _ -> "answer");
    if (acceptance instanceof Acceptance.Accepted accepted) {
      sessions.add(accepted.turn().sessionId());
    }
    return acceptance;
  }

  private Acceptance followUp(SessionId session) {
    return aws.intake().followUp(WORKSPACE, session, "more", null, "http://service", null);
  }

  private record NoMachine() implements SfnClient {
    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }
}
