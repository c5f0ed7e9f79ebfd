package agentsessions.local.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When no new turn is taken on for want of a disk.
class DiskTest {
  @TempDir Path temp;

  @Test
  void aDiskWithFewInodesIsNearlyFull() {
    AtomicReference<Inodes> inodes = new AtomicReference<>(new Inodes(196_608, 3_900));
    try (Disk disk = new Disk(temp, inodes::get)) {
      disk.askForInodes();
      assertTrue(disk.isNearlyFull());
      inodes.set(new Inodes(196_608, 4_000));
      disk.askForInodes();
      assertEquals(disk.free() < disk.keptFree(), disk.isNearlyFull());
    }
  }

  @Test
  void thisDiskTellsOfItsInodes() {
    assertTrue(Inodes.of(temp).free() > 0);
    assertEquals(new Inodes(196_608, 36_000), Inodes.of(List.of("196608 36000")));
  }

  @Test
  void whereNothingIsToldOfInodesThereAreEnough() {
    for (String untold : List.of("", "0 0", "18446744073709551615 0", "? ?")) {
      assertEquals(Inodes.UNBOUNDED, Inodes.of(List.of(untold)), untold);
    }
    assertEquals(Inodes.UNBOUNDED, Inodes.of(temp.resolve("nothing")));
    assertFalse(Inodes.UNBOUNDED.areNearlyGone());
  }
}
