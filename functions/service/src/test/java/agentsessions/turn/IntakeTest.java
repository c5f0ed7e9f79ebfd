package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.Opening;
import agentsessions.session.Receipt;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// How a message is accepted once: what a repeat is given, and how many turns of one workspace may
/// be live at once.
class IntakeTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Idempotency KEY = new Idempotency("key", "body");
  private static final Idempotency KEY_OF_FOLLOW_UP = new Idempotency("another", "body");

  private static final String OLD_BODY =
      """
      {"id":"6513270e-269e-4d37-b2a7-4de452e6b438","agent_name":"shell","title":null,"status":"working",\
      "is_archived":false,"metadata":{"thread_id":"mine","plan_artifact_ids":"none"},"plan_artifact_ids":[],\
      "thread_id":"01a207af-0cce-7182-892f-902bd23f0824","created_at":"2026-11-23T09:14:02.318Z",\
      "updated_at":"2026-11-23T09:14:02.318Z","source_url":null,"session_group_id":null,"is_private":false,\
      "pull_requests":[],"session_html_url":null,"_links":{"self":{"href":"http://x/1"}}}\
      """;

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
    SessionKey session = sessions.getFirst();
    Receipt created = aws.turns().load(current(session)).orElseThrow().receipt();
    Acceptance sent = followUp(session, KEY_OF_FOLLOW_UP);
    table.contents().keySet().removeIf(key -> key.pk().endsWith("#S#" + session.id()));
    assertEquals(new Acceptance.Replayed(created), create(WORKSPACE, KEY));
    assertEquals(
        new Acceptance.Replayed(((Acceptance.Accepted) sent).turn().receipt()),
        followUp(session, KEY_OF_FOLLOW_UP));
  }

  @Test
  void whatWasKeptBeforeReceiptsWereIsAnsweredStill() {
    SessionKey session = sessions.getFirst();
    Receipt sent = ((Acceptance.Accepted) followUp(session, KEY_OF_FOLLOW_UP)).turn().receipt();
    keepAsBefore(KEY, OLD_BODY);
    keepAsBefore(KEY_OF_FOLLOW_UP, sent.turn().id().toString());
    assertEquals(
        new Acceptance.Replayed(
            new Receipt(
                new SessionKey(
                        WORKSPACE,
                        SessionId.parse("6513270e-269e-4d37-b2a7-4de452e6b438").orElseThrow())
                    .turn(TurnId.parse("01a207af-0cce-7182-892f-902bd23f0824").orElseThrow()),
                Stamp.of(Instant.parse("2026-11-23T09:14:02.318Z")))),
        create(WORKSPACE, KEY));
    assertEquals(new Acceptance.Replayed(sent), followUp(session, KEY_OF_FOLLOW_UP));
    table.contents().keySet().removeIf(key -> key.pk().endsWith("#S#" + session.id()));
    assertEquals(new Acceptance.NoSession(), followUp(session, KEY_OF_FOLLOW_UP));
  }

  @Test
  void aFollowUpToAWorkingSessionCountsForNone() {
    assertInstanceOf(Acceptance.Accepted.class, followUp(sessions.getFirst()));
  }

  @Test
  void aTurnThatEndsMakesRoomForOne() {
    SessionKey idle = sessions.getFirst();
    assertEquals(true, aws.endings().cancel(idle).isPresent());
    assertInstanceOf(Acceptance.Accepted.class, create(WORKSPACE, null));
    assertEquals(FULL, followUp(idle));
  }

  private Acceptance create(Workspace workspace, @Nullable Idempotency key) {
    Acceptance acceptance =
        aws.intake().create(workspace, Opening.of("shell", "hi"), "http://service", key);
    if (acceptance instanceof Acceptance.Accepted accepted) {
      sessions.add(accepted.turn().key().session());
    }
    return acceptance;
  }

  private Acceptance followUp(SessionKey session) {
    return followUp(session, null);
  }

  private Acceptance followUp(SessionKey session, @Nullable Idempotency key) {
    return aws.intake().followUp(session, FollowUp.of("more"), "http://service", key);
  }

  private TurnKey current(SessionKey session) {
    return aws.sessions().load(session).orElseThrow().current();
  }

  /// As the release before kept it: the answer itself.
  private void keepAsBefore(Idempotency key, String answer) {
    table
        .contents()
        .replaceAll((place, item) -> {
          if (!place.pk().equals("W#w#IDEM#" + key.key())) {
            return item;
          }
          Map<String, AttributeValue> before = new HashMap<>(item);
          before.keySet().removeAll(Set.of("session", "turn", "ts"));
          before.put("answer", AttributeValue.fromS(answer));
          return before;
        });
  }
}
