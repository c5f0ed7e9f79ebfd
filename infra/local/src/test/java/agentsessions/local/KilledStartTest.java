package agentsessions.local;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a start whose child processes are killed, as the kernel does for lack of memory.
@Tag("service") // in a process of their own: a process holds one service at a time
class KilledStartTest {
  private static final int TRIES = 5;

  @Test
  void twoDeathsOfTheProbeAndOfTheDatabaseAreOutlived(@TempDir Path data) throws Exception {
    boolean outlived = false;
    for (int tries = 1; !outlived && tries <= TRIES; tries++) {
      outlived = isKilledTwiceAndServes(Files.createDirectory(data.resolve("" + tries)));
    }
    assertTrue(outlived, "the probe ended each time before it could be killed");
  }

  /// False where the probe, which does not last, was not killed twice before the start was over.
  private static boolean isKilledTwiceAndServes(Path data) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService killers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Set<Long>> probes = killers.submit(() -> killTwo("--probe", over::get));
      Future<Set<Long>> databases =
          killers.submit(() -> killTwo(".dynamodb.ParentWatch", () -> false));
      try (LocalService service = LocalService.start(Settings.of(data))) {
        assertEquals(2, databases.get().size());
        assertTrue(
            AgentAvailability.offeredNames(service.availability()).contains("shell"),
            service.isolation());
        over.set(true);
        return probes.get().size() == 2;
      }
    }
  }

  /// @param word a word on the command line of the process to kill
  /// @param over whether no other one will come
  private static Set<Long> killTwo(String word, BooleanSupplier over) {
    Set<Long> killed = new HashSet<>();
    while (killed.size() < 2) {
      Optional<ProcessHandle> child =
          eventually(() -> child(word, killed), found -> found.isPresent() || over.getAsBoolean());
      if (child.isEmpty()) {
        return killed;
      }
      boolean _ = child.get().destroyForcibly();
      killed.add(child.get().pid());
    }
    return killed;
  }

  private static Optional<ProcessHandle> child(String word, Set<Long> killed) {
    return ProcessHandle.current()
        .children()
        .filter(child -> !killed.contains(child.pid()) && commandLine(child).contains(word))
        .findFirst();
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }
}
