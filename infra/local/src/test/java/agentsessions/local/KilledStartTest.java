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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a start whose child processes are killed, as the kernel does for lack of memory.
@Tag("service") // in a process of their own: a process holds one service at a time
class KilledStartTest {
  @Test
  void twoDeathsOfTheProbeAndOfTheDatabaseAreOutlived(@TempDir Path data) throws Exception {
    try (ExecutorService killers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Set<Long>> probes = killers.submit(() -> killTwo("--probe"));
      Future<Set<Long>> databases = killers.submit(() -> killTwo(".dynamodb.ParentWatch"));
      try (LocalService service = LocalService.start(Settings.of(data))) {
        assertEquals(2, probes.get().size());
        assertEquals(2, databases.get().size());
        assertTrue(
            AgentAvailability.names(service.offers()).contains("shell"), service.isolation());
      }
    }
  }

  /// @param word a word on the command line of the process to kill
  private static Set<Long> killTwo(String word) {
    Set<Long> killed = new HashSet<>();
    while (killed.size() < 2) {
      ProcessHandle child =
          eventually(() -> child(word, killed), Optional::isPresent).orElseThrow();
      assertTrue(child.destroyForcibly());
      killed.add(child.pid());
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
