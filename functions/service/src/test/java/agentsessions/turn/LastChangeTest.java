package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSession;
import agentsessions.session.Session;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.store.session.Sessions;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A client that asks for changes since its last look misses none: the time of a session's last
/// change grows with each, also after a message whose stamp is ahead of the clock.
class LastChangeTest {
  private static final Workspace WORKSPACE = new Workspace("w");

  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws = InMemoryAws.of(clock);
  private final SessionKey key = created();

  @BeforeEach
  void aMessageInterruptsATurn() {
    assertTrue(
        aws.intake().followUp(key, FollowUp.of("more"), "http://service", null)
            instanceof Acceptance.Accepted);
    clock.pass(Duration.ofMillis(1));
    assertTrue(updated().compareTo(Stamp.of(clock.instant())) > 0);
  }

  @Test
  void aNewTitleIsALaterChange() {
    Stamp before = updated();
    assertEquals("other", title(patched(Optional.of("other"), Optional.empty())));
    assertTrue(updated().compareTo(before) > 0);
  }

  @Test
  void soIsAnArchiving() {
    Stamp before = updated();
    assertTrue(patched(Optional.empty(), Optional.of(true)).archived());
    assertTrue(updated().compareTo(before) > 0);
  }

  @Test
  void soIsTheEndOfATurnThatItsClientCancels() {
    Stamp before = updated();
    assertTrue(aws.endings().cancel(key, Endings.Cancellation.ALL).isPresent());
    assertTrue(updated().compareTo(before) > 0);
  }

  @Test
  void itIsTheTimeOfTheClockWhereThatIsLater() {
    clock.pass(Duration.ofSeconds(1));
    Session session = patched(Optional.of("other"), Optional.empty());
    assertEquals(Stamp.of(clock.instant()), session.updatedAt());
  }

  private Session patched(Optional<String> title, Optional<Boolean> archived) {
    Sessions.Patch patch =
        new Sessions.Patch(
            title.isPresent() ? Optional.of(title) : Optional.empty(),
            Optional.empty(),
            archived,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return aws.sessions().change(key, patch).orElseThrow().session();
  }

  private static String title(Session session) {
    return session.title() == null ? "" : session.title();
  }

  private Stamp updated() {
    return aws.sessions().load(key).orElseThrow().updatedAt();
  }

  private SessionKey created() {
    Acceptance accepted =
        aws.intake().create(WORKSPACE, NewSession.of("shell", "hi"), "http://service", null);
    return ((Acceptance.Accepted) accepted).turn().key().sessionKey();
  }
}
