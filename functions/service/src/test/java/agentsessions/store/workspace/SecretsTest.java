package agentsessions.store.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.authorizer.KeyEnded;
import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryParameters;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.ParameterStore;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Secret;
import agentsessions.table.CallersKey;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.testing.SettableClock;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

public class SecretsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Workspace OTHER = new Workspace("other");
  private static final List<String> HOST = List.of("git.example.org");

  private final ContendedTable contended = new ContendedTable(new InMemoryTable("t"));
  private final InMemoryParameters store = new InMemoryParameters();
  private final Secrets secrets =
      new Secrets(
          new Table(contended, "t", new ChangeSignal(true)),
          new ParameterStore(store, "/stack"),
          new SettableClock());

  @Test
  void aSecretIsReadWithWhatItMayBeUsedFor() {
    assertTrue(secrets.put(WORKSPACE, "TOKEN", "one", HOST, false));
    assertTrue(secrets.put(WORKSPACE, "OTHER", "two", List.of(), true));
    Map<String, Secrets.Known> known = secrets.read(WORKSPACE, Set.of("TOKEN", "OTHER", "NONE"));
    assertEquals(Set.of("TOKEN", "OTHER"), known.keySet());
    assertEquals(Optional.of("one"), value("TOKEN"));
    Secret token = known.values().stream().map(Secrets.Known::secret).toList().getFirst();
    assertEquals("w", token.workspace().name());
    assertEquals(List.of("OTHER", "TOKEN"), names());
  }

  @Test
  void noLogHoldsAValue() {
    secrets.put(WORKSPACE, "TOKEN", "hunter2", HOST, false);
    assertFalse(secrets.read(WORKSPACE, Set.of("TOKEN")).toString().contains("hunter2"));
  }

  @Test
  void noWorkspaceSeesAnothers() {
    secrets.put(OTHER, "TOKEN", "theirs", HOST, true);
    assertEquals(Optional.empty(), value("TOKEN"));
    assertFalse(secrets.delete(WORKSPACE, "TOKEN"));
    assertEquals(List.of(), names());
    assertEquals(1, store.values.size());
  }

  @Test
  void aChangedValueCountsAndTheOldOneIsGone() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    secrets.put(WORKSPACE, "TOKEN", "new", HOST, true);
    assertEquals(Optional.of("new"), value("TOKEN"));
    assertEquals(1, store.values.size());
  }

  @Test
  void aValueOfAKeyThatHasEndedIsKeptNowhere() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    CallersKey ended = new CallersKey("ended", Instant.EPOCH);
    for (String name : List.of("TOKEN", "FRESH")) {
      assertThrows(
          KeyEnded.class,
          () -> ended.during(() -> secrets.put(WORKSPACE, name, "new", HOST, false)));
    }
    assertThrows(KeyEnded.class, () -> ended.during(() -> secrets.delete(WORKSPACE, "TOKEN")));
    assertEquals(Optional.of("old"), value("TOKEN"));
    assertEquals(1, store.values.size());
  }

  @Test
  void aDeletedNameCanBeMadeAgainAtOnce() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    assertTrue(secrets.delete(WORKSPACE, "TOKEN"));
    assertFalse(secrets.delete(WORKSPACE, "TOKEN"));
    assertEquals(Map.of(), store.values);
    assertTrue(secrets.put(WORKSPACE, "TOKEN", "new", HOST, false));
    assertEquals(Optional.of("new"), value("TOKEN"));
  }

  @Test
  void theHundredAndFirstIsTooMuchButAChangeIsNot() {
    for (int number = 0; number < Secrets.MOST; number++) {
      assertTrue(secrets.put(WORKSPACE, "S" + number, "x", List.of(), true));
    }
    assertFalse(secrets.put(WORKSPACE, "ONE_MORE", "x", List.of(), true));
    assertTrue(secrets.put(WORKSPACE, "S1", "y", List.of(), true));
    assertEquals(Secrets.MOST, store.values.size());
    assertTrue(secrets.delete(WORKSPACE, "S1"));
    assertTrue(secrets.put(WORKSPACE, "ONE_MORE", "x", List.of(), true));
  }

  /// A value is never read together with the hosts of another.
  @Test
  void aValueThatChangesWhileItIsReadIsReadAgain() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    store.beforeReads.add(() -> secrets.put(WORKSPACE, "TOKEN", "new", List.of("b.org"), false));
    Secrets.Known known = secrets.read(WORKSPACE, Set.of("TOKEN")).values().iterator().next();
    assertEquals("new", known.value());
    assertEquals(List.of("b.org"), known.secret().hosts());
  }

  @Test
  void ofAChangeAndARemovalAtOnceNoHalfIsLeft() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    store.beforeWrites.add(() -> secrets.delete(WORKSPACE, "TOKEN"));
    assertTrue(secrets.put(WORKSPACE, "TOKEN", "new", HOST, false));
    assertEquals(Optional.of("new"), value("TOKEN"));
    assertEquals(1, store.values.size());
  }

  @Test
  void ofTwoThatAreMadeAtOnceOneIsTooMany() {
    for (int number = 1; number < Secrets.MOST; number++) {
      assertTrue(secrets.put(WORKSPACE, "S" + number, "x", List.of(), true));
    }
    contended.beforeWrite(1, () -> assertTrue(secrets.put(WORKSPACE, "ONE", "x", List.of(), true)));
    assertFalse(secrets.put(WORKSPACE, "OTHER", "x", List.of(), true));
    assertEquals(Secrets.MOST, store.values.size());
  }

  @Test
  void ofTwoChangesAtOnceNoValueIsLeftBehind() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    contended.beforeWrite(1, () -> secrets.put(WORKSPACE, "TOKEN", "first", HOST, false));
    assertTrue(secrets.put(WORKSPACE, "TOKEN", "last", HOST, false));
    assertEquals(List.of("last"), List.copyOf(store.values.values()));
  }

  @Test
  void ofARemovalAndAChangeAtOnceNoValueIsLeftBehind() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    contended.beforeWrite(1, () -> secrets.put(WORKSPACE, "TOKEN", "new", HOST, false));
    assertTrue(secrets.delete(WORKSPACE, "TOKEN"));
    assertEquals(Map.of(), store.values);
  }

  @Test
  void aSecretWhoseValueIsLostIsNotThere() {
    secrets.put(WORKSPACE, "TOKEN", "old", HOST, false);
    store.values.clear();
    assertEquals(Optional.empty(), value("TOKEN"));
  }

  @Test
  void aCredentialGoesToItsHostsOnly() {
    Secret secret = secret("git.example.org", "forge.example.org:8443");
    assertTrue(secret.mayGoTo(URI.create("https://git.example.org/a/b")));
    assertTrue(secret.mayGoTo(URI.create("https://GIT.example.org:443/a/b")));
    assertTrue(secret.mayGoTo(URI.create("https://forge.example.org:8443/a")));
    assertFalse(secret.mayGoTo(URI.create("https://forge.example.org/a")));
    assertFalse(secret.mayGoTo(URI.create("https://git.example.org:8443/a")));
    assertFalse(secret.mayGoTo(URI.create("https://git.example.org.evil.org/a")));
    assertFalse(secret.mayGoTo(URI.create("https://x.git.example.org/a")));
  }

  private Secret secret(String... hosts) {
    secrets.put(WORKSPACE, "TOKEN", "x", List.of(hosts), false);
    return secrets.list(WORKSPACE).getFirst();
  }

  private Optional<String> value(String name) {
    return secrets.read(WORKSPACE, Set.of(name)).values().stream()
        .map(Secrets.Known::value)
        .findFirst();
  }

  private List<String> names() {
    return secrets.list(WORKSPACE).stream().map(Secret::name).toList();
  }
}
