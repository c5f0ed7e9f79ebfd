package agentsessions.runner.sandbox.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.Inodes;
import agentsessions.runner.Bench;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.AgentProcess.Ending;
import agentsessions.runner.sandbox.Holder;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.SessionFolders;
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

/// The choice of the turn that is stopped for its disk use: bytes and inodes.
class DiskWatchTest {
  private static final long MIB = 1024 * 1024;

  /// Limits under which the disk never has as much free space as must be kept free.
  private static final Limits FULL = limits(1024 * MIB, Long.MAX_VALUE);

  private static final String HOLDS =
      "exec 3>held; rm held; head -c %d /dev/zero >&3; head -c %d /dev/zero >named";

  private static final String MAKES = "seq %d | xargs touch";

  @TempDir Path sandboxes;
  private final CompletableFuture<Ending> stopped = new CompletableFuture<>();
  private Inodes inodes = new Inodes(1_000_000, 900_000);
  private SessionFolder folder;

  @BeforeEach
  void open() throws IOException {
    folder = session();
  }

  @Test
  void deletedFilesThatAreOpenCountForTheShare() throws Exception {
    try (Holder agent = Holder.of(folder.work(), HOLDS.formatted(80 * MIB, 0));
        DiskWatch _ = watch(limits(MIB, 0), agent)) {
      assertEquals(Ending.DISK_QUOTA, ending());
    }
  }

  /// Otherwise the next turn of the session would seem to have written less.
  @Test
  void whatIsOpenOnlyIsNotWhatTheSessionHas() throws Exception {
    try (Holder agent = Holder.of(folder.work(), HOLDS.formatted(80 * MIB, MIB));
        DiskWatch _ = watch(limits(MIB, 0), agent)) {
      assertEquals(Ending.DISK_QUOTA, ending());
    }
    long used = SpaceUsage.read(folder.used()).bytes();
    assertTrue(used >= MIB && used < 8 * MIB, used + " bytes");
  }

  @Test
  void whoHoldsDeletedFilesHasWrittenTheMost() throws Exception {
    another(new SpaceUsage(40 * MIB, 1_000_000));
    try (Holder agent = Holder.of(folder.work(), HOLDS.formatted(60 * MIB, 0));
        DiskWatch _ = watch(FULL, agent)) {
      assertEquals(Ending.DISK_FULL, ending());
    }
  }

  @Test
  void filesWithoutABlockHaveAShareToo() throws Exception {
    try (Holder agent = Holder.of(folder.work(), MAKES.formatted(10_100));
        DiskWatch _ = watch(limits(1024 * MIB, 0), agent)) {
      assertEquals(Ending.INODE_QUOTA, ending());
    }
    assertTrue(SpaceUsage.read(folder.used()).inodes() > 10_000);
  }

  @Test
  void whoHasMadeTheMostFilesIsStoppedWhenInodesAreNearlyGone() throws Exception {
    another(new SpaceUsage(40 * MIB, 100));
    inodes = new Inodes(1_000_000, 10_000);
    try (Holder agent = Holder.of(folder.work(), MAKES.formatted(4_100));
        DiskWatch _ = watch(limits(1024 * MIB, 0), agent)) {
      assertEquals(Ending.DISK_FULL, ending());
    }
  }

  /// By then the folder belongs to the next turn, or is being removed.
  @Test
  void aLookThatIsOverAfterTheEndLeavesNothing() throws Exception {
    CompletableFuture<Void> looking = new CompletableFuture<>();
    CompletableFuture<Inodes> answer = new CompletableFuture<>();
    Path own = sandboxes.resolve(".turns").resolve(folder.path().getFileName());
    try (Holder agent = Holder.of(folder.work(), "true")) {
      DiskWatch watch =
          new DiskWatch(
              folder,
              limits(1024 * MIB, 0),
              agent::processes,
              () -> {
                looking.complete(null);
                return answer.join();
              },
              stopped::complete);
      looking.get(60, TimeUnit.SECONDS);
      SpaceUsage.NOTHING.write(own);
      watch.close();
      answer.complete(inodes);
      Bench.await("the watch's end", () -> Files.notExists(own));
    }
    assertFalse(Files.exists(folder.used()));
  }

  /// Another turn of this machine that has grown so much just now.
  private void another(SpaceUsage growth) throws IOException {
    Path turns = Files.createDirectories(sandboxes.resolve(".turns"));
    growth.write(turns.resolve(UUID.randomUUID().toString()));
  }

  private Ending ending() throws Exception {
    return stopped.get(60, TimeUnit.SECONDS);
  }

  private DiskWatch watch(Limits limits, Holder agent) throws IOException {
    return new DiskWatch(folder, limits, agent::processes, () -> inodes, stopped::complete);
  }

  private SessionFolder session() throws IOException {
    String id = UUID.randomUUID().toString();
    return new SessionFolders(sandboxes, Optional.empty()).of(id).open(Map.of());
  }

  private static Limits limits(long folder, long free) {
    return new Limits(MIB, MIB, 100, 256, MIB, folder, free, MIB, MIB, 40, 1000, 2000, MIB, MIB);
  }
}
