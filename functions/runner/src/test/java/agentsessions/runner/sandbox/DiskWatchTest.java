package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.AgentProcess.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who is stopped for what it takes of the disk.
class DiskWatchTest {
  private static final long MIB = 1024 * 1024;

  /// Of a disk that has never as much room as is kept free.
  private static final Limits FULL = limits(1024 * MIB, Long.MAX_VALUE);

  private static final String HOLDS =
      "exec 3>held; rm held; head -c %d /dev/zero >&3; head -c %d /dev/zero >named";

  @TempDir Path sandboxes;
  private final CompletableFuture<Ending> stopped = new CompletableFuture<>();
  private SessionFolder folder;

  @BeforeEach
  void open() throws IOException {
    folder = session();
  }

  @Test
  void deletedFilesThatAreOpenCountForTheShare() throws Exception {
    try (Holder agent = Holder.of(folder.work(), HOLDS.formatted(80 * MIB, 0));
        DiskWatch _ = watch(limits(MIB, 0), agent)) {
      assertEquals(Ending.SHARE, ending());
    }
  }

  /// The next turn of the session would seem to have written less.
  @Test
  void whatIsOpenOnlyIsNotWhatTheSessionHas() throws Exception {
    try (Holder agent = Holder.of(folder.work(), HOLDS.formatted(80 * MIB, MIB));
        DiskWatch _ = watch(limits(MIB, 0), agent)) {
      assertEquals(Ending.SHARE, ending());
    }
    long used = Long.parseLong(Files.readString(folder.used()));
    assertTrue(used >= MIB && used < 8 * MIB, used + " bytes");
  }

  @Test
  void whoHoldsDeletedFilesHasWrittenTheMost() throws Exception {
    another(40 * MIB);
    try (Holder agent = Holder.of(folder.work(), HOLDS.formatted(60 * MIB, 0));
        DiskWatch _ = watch(FULL, agent)) {
      assertEquals(Ending.DISK_FULL, ending());
    }
  }

  /// Another turn of this machine that has written so much just now.
  private void another(long bytes) throws IOException {
    Path turns = Files.createDirectories(sandboxes.resolve(".turns"));
    Files.writeString(turns.resolve(UUID.randomUUID().toString()), "%019d".formatted(bytes));
  }

  private Ending ending() throws Exception {
    return stopped.get(10, TimeUnit.SECONDS);
  }

  private DiskWatch watch(Limits limits, Holder agent) throws IOException {
    return new DiskWatch(folder, limits, agent::processes, stopped::complete);
  }

  private SessionFolder session() throws IOException {
    String id = UUID.randomUUID().toString();
    return new SessionFolders(sandboxes, Optional.empty()).of(id).open(Map.of());
  }

  private static Limits limits(long folder, long free) {
    return new Limits(MIB, MIB, 100, 256, MIB, folder, free, MIB, MIB, 40, 1000, 2000, MIB, MIB);
  }
}
