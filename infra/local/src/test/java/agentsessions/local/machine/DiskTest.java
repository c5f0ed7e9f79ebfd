package agentsessions.local.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.Inodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the refusal of new turns when the disk is nearly full.
class DiskTest {
  @TempDir Path temp;

  @Test
  void aDiskWithFewInodesIsNearlyFull() {
    AtomicReference<Inodes> inodes = new AtomicReference<>(new Inodes(196_608, 3_900));
    try (Disk disk = new Disk(temp, inodes::get)) {
      disk.check();
      assertTrue(disk.isNearlyFull());
      inodes.set(new Inodes(196_608, 4_000));
      disk.check();
      assertEquals(disk.free() < disk.keptFree(), disk.isNearlyFull());
    }
  }

  @Test
  void inodesAreAskedForSeldomWhileThereArePlenty() {
    AtomicInteger asked = new AtomicInteger();
    AtomicLong free = new AtomicLong(1_300_000);
    try (Disk disk =
        new Disk(
            temp,
            () -> {
              asked.incrementAndGet();
              return new Inodes(10_000_000, free.get());
            })) {
      check(disk, 80);
      assertEquals(2, asked.get());
      free.set(1_200_000);
      check(disk, 1);
      check(disk, 10);
      assertEquals(5, asked.get()); // of 91 looks
      free.set(199_999);
      check(disk, 10);
      assertEquals(5 + 9, asked.get());
    }
  }

  @Test
  void keptInodesAreGivenUpWhenNoneAreLeft() {
    AtomicReference<Inodes> inodes = new AtomicReference<>(new Inodes(10_000, 401));
    Path kept = temp.resolve("reserve-inodes");
    try (Disk disk = new Disk(temp, inodes::get)) {
      check(disk, 4);
      assertEquals(50, Objects.requireNonNull(kept.toFile().list()).length);
      inodes.set(new Inodes(10_000, 24));
      check(disk, 3);
      assertTrue(Files.exists(kept));
      check(disk, 1);
      assertFalse(Files.exists(kept));
      inodes.set(new Inodes(10_000, 400));
      check(disk, 4);
      assertFalse(Files.exists(kept));
      inodes.set(new Inodes(10_000, 401));
      check(disk, 4);
      assertTrue(Files.exists(kept));
    }
  }

  @Test
  void whereInodesHaveNoBoundNoneAreKept() {
    try (Disk disk = new Disk(temp, () -> Inodes.UNBOUNDED)) {
      check(disk, 10);
      assertFalse(Files.exists(temp.resolve("reserve-inodes")));
    }
  }

  private static void check(Disk disk, int times) {
    for (int i = 0; i < times; i++) {
      disk.check();
    }
  }
}
