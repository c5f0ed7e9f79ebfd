package agentsessions.runner.sandbox.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.runner.sandbox.AgentUser;
import agentsessions.runner.sandbox.Holder;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The disk space of deleted files that processes hold open.
class UnlinkedFilesTest {
  private static final int MIB = 1024 * 1024;

  @TempDir Path folder;

  @Test
  void blocksOfFilesWithoutALinkAreAdded() {
    assertEquals(20 * 512, UnlinkedFiles.sum(List.of("0 8 512", "1 800 512", "0 12 512")));
    assertEquals(0, UnlinkedFiles.sum(List.of("", "0 8", "stat: 0 8 512", "0 8 51x")));
  }

  @Test
  void deletedFilesThatAreOpenCountOnceHoweverManyHoldThem() throws IOException {
    String script = "exec 3>held 4>&3; rm held; head -c 2097152 /dev/urandom >&3";
    try (Holder holder = Holder.of(folder, script)) {
      assertTwoMebibytes(bytes(holder));
    }
  }

  @Test
  void eachDeletedFileThatIsOpenHasItsInode() throws IOException {
    try (Holder holder = Holder.of(folder, "exec 3>one 4>other 5>&3; rm one other")) {
      assertEquals(2, UnlinkedFiles.of(holder.processes(), List.of(folder)).inodes());
    }
  }

  @Test
  void filesThatHaveANameAreLeftToOthers() throws IOException {
    String script = "exec 3>one; ln one other; rm one; head -c 2097152 /dev/urandom >&3";
    try (Holder holder = Holder.of(folder, script)) {
      assertEquals(0, bytes(holder));
    }
  }

  @Test
  void holesCountNothing() throws IOException {
    try (Holder holder = Holder.of(folder, "exec 3>held; truncate -s 1G held; rm held")) {
      assertTrue(bytes(holder) < MIB, "a hole was counted");
    }
  }

  @Test
  void filesOfOtherDisksCountNothing() throws IOException {
    String script = "exec 3>held; rm held; head -c 2097152 /dev/urandom >&3";
    try (Holder holder = Holder.of(folder, script)) {
      List<Path> elsewhere = List.of(Path.of("/proc"));
      assertEquals(SpaceUsage.NOTHING, UnlinkedFiles.of(holder.processes(), elsewhere));
    }
  }

  @Test
  void deletedFilesThatAreMappedCountWhereTheyCanBeSeen() throws IOException {
    assumeTrue(AgentUser.isRoot() && seesWhatIsMapped(), "only root sees what is mapped");
    Path file = Files.write(folder.resolve("mapped"), new byte[2 * MIB]);
    MappedByteBuffer mapped;
    try (FileChannel channel = FileChannel.open(file)) {
      mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 2 * MIB);
    }
    try {
      long before = bytes(Stream.of(ProcessHandle.current()));
      Files.delete(file);
      assertTwoMebibytes(bytes(Stream.of(ProcessHandle.current())) - before);
    } finally {
      Reference.reachabilityFence(mapped);
    }
  }

  @Test
  void processesThatAreGoneCountNothing() throws IOException, InterruptedException {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    assertEquals(0, bytes(Stream.of(gone.toHandle())));
  }

  private static void assertTwoMebibytes(long bytes) {
    assertTrue(Math.abs(bytes - 2 * MIB) < MIB / 4, bytes + " bytes");
  }

  /// Whether this process can see mapped files; some machines refuse it even to root.
  private static boolean seesWhatIsMapped() throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/map_files"))) {
      return Files.exists(all.iterator().next());
    }
  }

  private long bytes(Holder holder) throws IOException {
    return bytes(holder.processes());
  }

  private long bytes(Stream<ProcessHandle> processes) throws IOException {
    return UnlinkedFiles.of(processes, List.of(folder)).bytes();
  }
}
