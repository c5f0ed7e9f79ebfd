package agentsessions.store.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryParameters;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.aws.ParameterStore;
import agentsessions.aws.SecretCipher;
import agentsessions.session.Session;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.session.repository.Checkout;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// A client's changes of a session that is deleted, or changed by others, at the same time.
public class SessionChangesTest {
  private static final SessionKey UNKNOWN =
      new SessionKey(new Workspace("w"), new SessionId(UUID.randomUUID()));

  private final SettableClock clock = new SettableClock();
  private final InMemoryTable memory = new InMemoryTable(InMemoryAws.TABLE);
  private final ContendedTable contended = new ContendedTable(memory);
  private final InMemoryAws aws =
      InMemoryAws.of(contended, new InMemoryBucket(), new NoMachine(), clock);

  @Test
  void whatIsUnknownIsNotChanged() {
    assertEquals(Optional.empty(), change(UNKNOWN, Optional.of("title"), Optional.empty()));
    assertTrue(memory.contents().isEmpty());
  }

  @Test
  void whatIsDeletedMeanwhileIsInNoList() {
    SessionKey key = aws.accepted().key().sessionKey();
    contended.beforeWrite(1, () -> aws.endings().delete(key));
    assertEquals(Optional.empty(), change(key, Optional.empty(), Optional.of(true)));
    assertFalse(
        memory.contents().keySet().stream().anyMatch(item -> item.pk().contains("#ARCHIVED")));
  }

  @Test
  void theTimeOfTheLastChangeNeverGoesBack() {
    SessionKey key = aws.accepted().key().sessionKey();
    Stamp before = change(key, Optional.of("one"), Optional.empty()).orElseThrow().updatedAt();
    clock.pass(Duration.ofSeconds(-1));
    Stamp after = change(key, Optional.of("two"), Optional.empty()).orElseThrow().updatedAt();
    assertTrue(after.compareTo(before) > 0);
  }

  @Test
  void aCredentialOfASessionThatIsGoneIsNotKept() {
    Table table = new Table(contended, InMemoryAws.TABLE, new ChangeSignal(true));
    StoredInputs inputs =
        new StoredInputs(
            table, SecretCipher.by(new ParameterStore(new InMemoryParameters(), "/stack"), "key"));
    Checkout.Credential credential = new Checkout.Credential.OfSecret(null, "TOKEN");
    assertFalse(table.write(inputs.change(UNKNOWN, Map.of(1, credential))).committed());
  }

  private Optional<Session> change(
      SessionKey key, Optional<String> title, Optional<Boolean> archived) {
    Sessions.Patch patch =
        new Sessions.Patch(
            title.isPresent() ? Optional.of(title) : Optional.empty(),
            Optional.empty(),
            archived,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return aws.sessions().change(key, patch).map(Sessions.Loaded::session);
  }
}
