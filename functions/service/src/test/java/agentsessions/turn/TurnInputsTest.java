package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Acceptance;
import agentsessions.session.Ending;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.NewSessions;
import agentsessions.session.OnRunning;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Environment;
import agentsessions.session.input.InputFile;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.session.repository.Repository;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.session.usage.Ceilings;
import agentsessions.testing.SettableClock;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The inputs of a session are kept for its turns, sealed where they are secret, and nowhere else.
class TurnInputsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final String COMMIT = "0123456789".repeat(4);
  private static final Checkout OPEN =
      new Checkout(
          RepositoryUrl.of("https://git.example.com/a"), "main", "a", 50, true, null, null);
  private static final Checkout GUARDED =
      new Checkout(
          RepositoryUrl.of("https://git.example.com/b"),
          null,
          "b",
          0,
          false,
          new Credential.Token("me", "t0ken-of-b"),
          new Checkout.Push(
              null,
              true,
              "main",
              Checkout.Provider.GITEA,
              new Checkout.PullRequest("Title", null, true)));
  private static final Checkout NAMED =
      new Checkout(
          RepositoryUrl.of("https://git.example.com/c"),
          null,
          "c",
          1,
          false,
          new Credential.OfSecret(null, "GIT"),
          null);
  private static final InputFile FILE =
      new InputFile.Inline("in.txt", ByteBuffer.wrap(new byte[] {1, 2}));
  private static final InputFile STORED =
      new InputFile.Stored("big", "artifacts/big", 3, "a".repeat(64));
  private static final SessionInputs ALL =
      new SessionInputs(
          "large",
          List.of(OPEN, GUARDED, NAMED),
          List.of(FILE, STORED),
          new Environment(Map.of("A", "v4lue=of a", "B", ""), List.of("KEY"), "m4ke it"));

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);

  @Test
  void aTurnWithoutAnythingNeedsNoRead() {
    Turn turn = created(SessionInputs.NONE);
    assertEquals(Turn.Work.NONE, turn.work());
    table.contents().clear();
    assertEquals(new TurnInputs.Loaded.Nothing(), aws.inputs().of(turn));
  }

  @Test
  void allThatWasGivenComesBack() {
    secrets();
    TurnInputs.Loaded.Ready ready = ready(created(ALL));
    assertEquals("large", ready.model());
    assertEquals(ALL.environment().variables(), ready.variables());
    assertEquals(Map.of("KEY", "k3y"), ready.secrets());
    assertEquals(List.of("t0ken-of-b", "g1t"), ready.masked());
    assertEquals("m4ke it", ready.setup());
    assertEquals(ALL.files(), ready.files());
    assertEquals(
        ALL.checkouts(), ready.repositories().stream().map(TurnInputs.Assigned::checkout).toList());
    assertEquals(
        List.of(
            Optional.empty(),
            Optional.of(new TurnInputs.Login("me", "t0ken-of-b")),
            Optional.of(new TurnInputs.Login("git", "g1t"))),
        ready.repositories().stream().map(TurnInputs.Assigned::login).toList());
  }

  @Test
  void whatIsSecretIsNowhereToBeRead() {
    secrets();
    Acceptance accepted =
        aws.intake()
            .create(
                WORKSPACE, NewSessions.with(ALL), "http://service", new Idempotency("key", "hash"));
    assertInstanceOf(Acceptance.Accepted.class, accepted);
    String kept = table.contents().toString() + accepted + ALL;
    for (String secret : List.of("t0ken-of-b", "v4lue", "m4ke", "k3y", "g1t")) {
      assertFalse(kept.contains(secret), secret);
    }
  }

  @Test
  void aTurnThatLacksASecretIsTold() {
    secrets();
    Turn turn = created(ALL);
    aws.secrets().delete(WORKSPACE, "GIT");
    aws.secrets().put(WORKSPACE, "KEY", "k3y", List.of(), false);
    assertEquals(new TurnInputs.Loaded.Missing(List.of("GIT", "KEY")), aws.inputs().of(turn));
  }

  @Test
  void aFollowUpHasWhatStaysAndWhatItBringsItself() {
    secrets();
    SessionKey key = created(ALL).key().sessionKey();
    Turn next =
        accepted(
            aws.intake()
                .followUp(
                    key,
                    new FollowUp(
                        "more",
                        null,
                        OnRunning.INTERRUPT,
                        "small",
                        List.of(STORED),
                        Map.of(3, new Credential.Token(null, "an0ther")),
                        Ceilings.NONE,
                        "key"),
                    "http://service",
                    null));
    TurnInputs.Loaded.Ready ready = ready(next);
    assertEquals("small", ready.model());
    assertEquals(List.of(STORED), ready.files());
    assertEquals("m4ke it", ready.setup());
    assertEquals(
        new TurnInputs.Login("git", "an0ther"), ready.repositories().get(2).login().orElseThrow());
    assertEquals("small", session(key).model());
    Turn last = accepted(aws.intake().followUp(key, FollowUp.of("last"), "http://service", null));
    assertEquals("small", ready(last).model());
    assertEquals(List.of(), ready(last).files());
  }

  @Test
  void theListKnowsHowTheLastTurnEnded() {
    SessionKey key = created(SessionInputs.NONE).key().sessionKey();
    assertEquals(null, session(key).turns().last());
    aws.intake().followUp(key, FollowUp.of("more"), "http://service", null);
    assertEquals(new Session.Last(TurnStatus.INTERRUPTED, null), session(key).turns().last());
    Turn turn = aws.turns().load(session(key).current()).orElseThrow();
    assertTrue(
        aws.endings().endAsSeen(turn, Ending.completed("\uD83D\uDE80".repeat(201), List.of())));
    assertEquals(
        new Session.Last(TurnStatus.COMPLETED, "\uD83D\uDE80".repeat(200)),
        session(key).turns().last());
    aws.intake().followUp(key, FollowUp.of("more"), "http://service", null);
    aws.endings().cancel(key, Endings.Cancellation.ALL);
    assertEquals(new Session.Last(TurnStatus.CANCELLED, null), session(key).turns().last());
  }

  @Test
  void whatBecameOfRepositoriesIsOnTheTurnAndGoesOn() {
    secrets();
    Turn turn = created(ALL);
    Repository cloned =
        new Repository(
            "https://git.example.com/a",
            "main",
            "a",
            COMMIT,
            COMMIT,
            "main",
            new Repository.Changes(1, 2, 3),
            null,
            new Repository.Pushed("agent/x", COMMIT, clock.instant()),
            "https://git.example.com/a/1",
            new Repository.Fault("PUSH_REFUSED", "no"));
    List<Repository> after =
        List.of(cloned, turn.work().repositories().get(1), turn.work().repositories().get(2));
    assertTrue(aws.endings().endAsSeen(turn, Ending.completed("done", List.of()).with(after)));
    assertEquals(after, session(turn.key().sessionKey()).configuration().repositories());
    assertEquals(after, aws.turns().load(turn.key()).orElseThrow().work().repositories());
    Turn next =
        accepted(
            aws.intake()
                .followUp(turn.key().sessionKey(), FollowUp.of("more"), "http://service", null));
    assertEquals(cloned, ready(next).repositories().getFirst().known());
  }

  @Test
  void aPurgeLeavesNothingOfIt() {
    secrets();
    SessionKey key = created(ALL).key().sessionKey();
    aws.endings().delete(key);
    aws.purge().step(key);
    aws.purge().step(key);
    String left =
        table.contents().entrySet().stream()
            .filter(entry -> entry.getKey().pk().endsWith(key.id().toString()))
            .map(Map.Entry::getValue)
            .map(TurnInputsTest::shown)
            .toList()
            .toString();
    assertFalse(left.contains("git.example.com") || left.contains("KEY"), left);
  }

  private void secrets() {
    aws.secrets().put(WORKSPACE, "KEY", "k3y", List.of(), true);
    aws.secrets().put(WORKSPACE, "GIT", "g1t", List.of("git.example.com"), false);
  }

  private Turn created(SessionInputs inputs) {
    return aws.accepted(NewSessions.with(inputs));
  }

  private Turn accepted(Acceptance acceptance) {
    Turn turn = assertInstanceOf(Acceptance.Accepted.class, acceptance).turn();
    assertEquals(turn, aws.turns().load(turn.key()).orElseThrow());
    return turn;
  }

  private TurnInputs.Loaded.Ready ready(Turn turn) {
    return assertInstanceOf(TurnInputs.Loaded.Ready.class, aws.inputs().of(turn));
  }

  private Session session(SessionKey key) {
    return aws.sessions().load(key).orElseThrow();
  }

  private static String shown(Map<String, AttributeValue> item) {
    return item.toString();
  }
}
