package agentsessions.store.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSession;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import agentsessions.table.Layout;
import agentsessions.testing.SettableClock;
import agentsessions.turn.Endings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Lists of sessions, of which each reads only those that it shows.
class SessionListTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final int MANY = 300;

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);

  @Test
  void anOldSessionBehindManyArchivedOnesIsTheFirstRow() {
    SessionKey old = created("shell");
    for (int i = 0; i < MANY; i++) {
      archive(created("shell"), true);
    }
    assertEquals(List.of(old), listed(new SessionList.Which.All(), false, 1));
    assertEquals(List.of(old), listed(new SessionList.Which.OfAgent("shell"), false, 1));
  }

  @Test
  void aSessionIsInTheListsOfItsStateAndAgent() {
    SessionKey one = created("shell");
    SessionKey two = created("claude");
    archive(two, true);
    assertEquals(List.of(one), listed(new SessionList.Which.All(), false, 10));
    assertEquals(List.of(two), listed(new SessionList.Which.All(), true, 10));
    assertEquals(List.of(two), listed(new SessionList.Which.OfAgent("claude"), true, 10));
    archive(two, false);
    assertEquals(List.of(two, one), listed(new SessionList.Which.All(), false, 10));
    assertEquals(List.of(), listed(new SessionList.Which.All(), true, 10));
  }

  @Test
  void aFollowUpTakesASessionOutOfTheArchive() {
    SessionKey key = created("shell");
    archive(key, true);
    assertTrue(
        aws.intake().followUp(key, FollowUp.of("more"), "http://service", null)
            instanceof Acceptance.Accepted);
    assertEquals(List.of(key), listed(new SessionList.Which.All(), false, 10));
    assertEquals(List.of(), listed(new SessionList.Which.All(), true, 10));
  }

  @Test
  void aDeletedSessionIsInNoList() {
    SessionKey sessionKey = created("shell");
    archive(sessionKey, true);
    assertTrue(aws.endings().delete(sessionKey));
    assertTrue(
        table.contents().keySet().stream()
            .noneMatch(key -> key.sk().endsWith("#" + sessionKey.id())));
  }

  /// The sessions that are shown of what is read.
  private List<SessionKey> listed(SessionList.Which which, boolean archived, int limit) {
    return aws
        .list()
        .rows(WORKSPACE, which, archived, Layout.LEAST, Layout.GREATEST, false, limit)
        .stream()
        .flatMap(row -> row.session().stream())
        .filter(session -> session.archived() == archived)
        .map(session -> session.key())
        .toList();
  }

  private void archive(SessionKey key, boolean archived) {
    assertTrue(
        aws.sessions()
            .change(
                key,
                new Sessions.Patch(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(archived),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()))
            .isPresent());
  }

  private SessionKey created(String agent) {
    clock.pass(Duration.ofMillis(1));
    Acceptance accepted =
        aws.intake().create(WORKSPACE, NewSession.of(agent, "hi"), "http://service", null);
    TurnKey turn = ((Acceptance.Accepted) accepted).turn().key();
    aws.endings().cancel(turn.sessionKey(), Endings.Cancellation.ALL);
    return turn.sessionKey();
  }
}
