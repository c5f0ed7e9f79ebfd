package agentsessions.runner.sandbox.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The measured disk use of a session.
class SpaceUsageTest {
  @TempDir Path folder;

  @Test
  void eachFileAndFolderOfASessionIsCountedOnce() throws IOException {
    Path work = Files.createDirectories(folder.resolve("work"));
    Path file = Files.createFile(work.resolve("file"));
    Files.createLink(work.resolve("the same"), file);
    Files.createSymbolicLink(work.resolve("link"), file);
    assertEquals(3, DiskMeasurement.inodes(List.of(work, folder.resolve("nothing"))));
  }

  @Test
  void whatIsWrittenDownIsReadAgainWhereItIsWhole() throws IOException {
    Path file = folder.resolve("used");
    assertEquals(SpaceUsage.NOTHING, SpaceUsage.read(file));
    new SpaceUsage(1L << 60, 1_000_000).write(file);
    assertEquals(new SpaceUsage(1L << 60, 1_000_000), SpaceUsage.read(file));
    new SpaceUsage(3, -1).write(file);
    assertEquals(new SpaceUsage(3, 0), SpaceUsage.read(file));
    Files.writeString(file, "0000000000000000007");
    assertEquals(SpaceUsage.NOTHING, SpaceUsage.read(file));
  }
}
