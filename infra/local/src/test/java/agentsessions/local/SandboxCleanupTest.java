package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.aws.LocalTable;
import agentsessions.table.ChangeSignal;
import agentsessions.table.RetryDeadline;
import agentsessions.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Tests of the cleanup: what it reads, which folders it removes, and which it never does.
class SandboxCleanupTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  /// An hour has so many checks.
  private static final int HOUR = 12;

  private final FolderTable table = new FolderTable();

  @TempDir Path sandboxes;

  @Test
  void aStartReadsTheSameBesideAnyNumberOfSessions() throws Exception {
    assertEquals(start(10), start(10_000));
  }

  private int start(int sessions) throws IOException {
    for (int i = 0; i < sessions; i++) {
      session(i < 100 ? folder() : id());
    }
    String gone = folder();
    note(gone);
    table.reads = 0;
    cleanup().removeNoted();
    assertFalse(isThere(gone));
    return table.reads;
  }

  @Test
  void anHourLooksUpAtMostAHundredFoldersAndEachInTurn() throws Exception {
    int folders = 250;
    for (int i = 0; i < folders; i++) {
      session(folder());
    }
    SandboxCleanup cleanup = cleanup();
    IntStream.range(0, HOUR).forEach(_ -> cleanup.check());
    assertEquals(HOUR * SandboxCleanup.CHECKED, table.reads);
    assertTrue(table.reads <= 100);
    IntStream.range(0, folders / SandboxCleanup.CHECKED).forEach(_ -> cleanup.check());
    assertEquals(folders, table.lookedUp.size());
  }

  @Test
  void aFolderWhoseSessionIsGoneIsFound() throws Exception {
    String lost = folder();
    String living = folder();
    session(living);
    cleanup().check();
    assertFalse(isThere(lost));
    assertTrue(isThere(living));
    assertEquals(List.of(), notes());
  }

  @Test
  void aLivingSessionsFolderIsNotRemovedEvenIfItIsNoted() throws Exception {
    String living = folder();
    session(living);
    note(living);
    cleanup().removeNoted();
    assertTrue(isThere(living));
  }

  @Test
  void aFolderIsNotTakenForASessionsByItsName() throws Exception {
    String bare = id();
    Files.createDirectory(sandboxes.resolve(bare));
    String others = folder();
    Files.writeString(sandboxes.resolve(others).resolve("session"), "w/" + id());
    cleanup().check();
    assertTrue(isThere(bare) && isThere(others));
  }

  @Test
  void aReadWithoutAnAnswerIsNone() throws Exception {
    String noted = folder();
    note(noted);
    String lost = folder();
    table.busy = true;
    RetryDeadline.run(SHORT, () -> cleanup().check());
    RetryDeadline.run(SHORT, () -> cleanup().removeNoted());
    assertTrue(isThere(noted) && isThere(lost));
    table.busy = false;
    cleanup().check();
    assertFalse(isThere(noted) || isThere(lost));
  }

  /// The calls of a check that finds a folder, each the last of its process.
  @ParameterizedTest
  @CsvSource({
    "1,false", "1,true", "2,false", "2,true", "3,false", "3,true",
    "4,false", "4,true", "5,false", "5,true", "6,false", "6,true"
  })
  void anEndBetweenAnyTwoStepsLeavesWhatIsFoundLater(int call, boolean after) throws Exception {
    String lost = folder();
    table.breaksAt = call;
    table.breaksAfter = after;
    cleanup().check();
    assertTrue(table.breaksAt <= 0, "there is no such call");
    if (!notes().isEmpty()) {
      cleanup().removeNoted();
    } else {
      cleanup().check();
    }
    assertFalse(isThere(lost));
    assertEquals(List.of(), notes());
  }

  @Test
  void aFolderInUseStaysNoted() throws Exception {
    String used = folder();
    note(used);
    new SandboxCleanup(sandboxes, _ -> 1, table()).removeNoted();
    assertEquals(1, notes().size());
    cleanup().removeNoted();
    assertFalse(isThere(used));
    assertEquals(List.of(), notes());
  }

  private SandboxCleanup cleanup() {
    return new SandboxCleanup(sandboxes, this::removed, table());
  }

  private Table table() {
    return new Table(table, LocalTable.NAME, new ChangeSignal(false));
  }

  private int removed(List<String> sessions) {
    return table.step(() -> {
      sessions.forEach(this::remove);
      return 0;
    });
  }

  private void remove(String session) {
    try {
      Files.deleteIfExists(sandboxes.resolve(session).resolve("session"));
      Files.delete(sandboxes.resolve(session));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A folder with its session's key.
  private String folder() throws IOException {
    String id = id();
    Path folder = Files.createDirectory(sandboxes.resolve(id));
    Files.writeString(folder.resolve("session"), "w/" + id);
    return id;
  }

  private static String id() {
    return UUID.randomUUID().toString();
  }

  private void session(String id) {
    table.put("W#w#S#" + id, "0#META", Map.of());
  }

  private void note(String id) {
    Map<String, AttributeValue> due =
        Map.of("LIVE", AttributeValue.fromS("FOLDERS"), "due_at", AttributeValue.fromN("0"));
    table.put("W#w#FOLDERS", id, due);
  }

  private List<String> notes() {
    return table.with("PK", "W#w#FOLDERS").stream()
        .map(item -> Objects.requireNonNull(item.get("SK")).s())
        .toList();
  }

  private boolean isThere(String id) {
    return Files.exists(sandboxes.resolve(id));
  }
}
