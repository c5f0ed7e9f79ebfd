package agentsessions.runner.sandbox.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The inodes of a disk, and those of a session.
class InodesTest {
  @TempDir Path folder;

  @Test
  void totalAndFreeAreToldInOneLine() {
    assertEquals(new Inodes(196_608, 36_000), Inodes.of(List.of("196608 36000")));
  }

  @Test
  void whereNothingIsToldThereIsNoBound() {
    assertEquals(Inodes.UNBOUNDED, Inodes.of(List.of()));
    assertEquals(Inodes.UNBOUNDED, Inodes.of(List.of("0 0")));
    assertEquals(Inodes.UNBOUNDED, Inodes.of(List.of("18446744073709551615 0")));
    assertEquals(Inodes.UNBOUNDED, Inodes.of(List.of("? ?")));
    assertEquals(Inodes.UNBOUNDED, Inodes.of(folder.resolve("nothing")));
    assertFalse(Inodes.UNBOUNDED.areNearlyGone());
  }

  @Test
  void theyAreNearlyGoneBelowAFiftieth() {
    assertTrue(new Inodes(1000, 19).areNearlyGone());
    assertFalse(new Inodes(1000, 20).areNearlyGone());
  }

  @Test
  void thisDiskHasSome() {
    assertTrue(Inodes.of(folder).free() > 0);
  }

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
