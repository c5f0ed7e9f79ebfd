package agentsessions.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The inodes of a disk, as `stat` prints them.
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
}
