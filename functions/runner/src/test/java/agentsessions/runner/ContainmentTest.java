package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.process.ControlGroups;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The limits of a sandbox beside other sessions' files: other processes, devices and system calls
/// that an agent cannot reach.
class ContainmentTest {
  private static final long MIB = 1024 * 1024;
  private static final Limits LITTLE =
      new Limits(
          4 * MIB, 64 * MIB, 200, 256, 256 * MIB, 32 * MIB, MIB, 64 * MIB, 32 * MIB, 40, 1000, 2000,
          MIB, MIB);

  @TempDir Path folder;

  @Test
  void nothingOfTheSystemCanBeWritten() throws IOException {
    assertEquals(
        "/tmp /dev/shm /workspace /home/agent /io",
        reply(
            """
            for place in / /etc /opt /run /var /usr /dev /tmp /dev/shm /workspace /home/agent /io; do
              (echo > $place/x) 2>/dev/null && written="$written $place"
            done
            echo $written
            """));
  }

  @Test
  void noNewUserNamespaceCanBeMade() throws IOException {
    assertEquals("refused", reply("unshare -Ur true 2>/dev/null && echo made || echo refused"));
  }

  @Test
  void systemCallsThatOnlyAttacksNeedAreRefused() throws IOException {
    assumeTrue(System.getProperty("os.arch").equals("amd64"));
    assertEquals(
        "ptrace keyctl bpf userfaultfd io_uring_setup perf_event_open",
        reply(
            """
            perl -MErrno -e '
              %calls = (ptrace => 101, keyctl => 250, bpf => 321, userfaultfd => 323,
                        io_uring_setup => 425, perf_event_open => 298);
              for (qw(ptrace keyctl bpf userfaultfd io_uring_setup perf_event_open)) {
                $! = 0;
                push @refused, $_ if syscall($calls{$_}, 16, 1, 0, 0, 0) < 0 && $!{EPERM};
              }
              print "@refused";'
            """));
  }

  /// A socket to a virtual machine's host is of no network namespace, so no network closes it.
  @Test
  void socketsReachTheNetworkAndNothingBesideIt() throws IOException {
    assumeTrue(System.getProperty("os.arch").equals("amd64"));
    assertEquals(
        "unix inet netlink",
        reply(
            """
            perl -e '
              @all = ([unix => 1, 1], [inet => 2, 1], [netlink => 16, 3], [alg => 38, 5],
                      [vsock => 40, 1]);
              for (@all) {
                push @made, $_->[0] if socket(my $socket, $_->[1], $_->[2], 0);
              }
              print "@made";'
            """));
  }

  @Test
  void noCapabilityCanBeWonBack() throws IOException {
    assertEquals("CapBnd: 0000000000000000", reply("grep CapBnd /proc/self/status | xargs"));
  }

  @Test
  void pathsOfTheMachineAreNotInTheProcessList() throws IOException {
    String seen = reply("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
    assertTrue(seen.contains("bwrap"), seen);
    assertFalse(seen.contains(folder.toString()), seen);
  }

  @Test
  void agentWithTooMuchMemoryIsToldSo() throws IOException {
    assumeTrue(ControlGroups.find().version() > 0, "needs control groups");
    JsonNode result = little("perl -e '$x = \"x\" x 600_000_000; sleep 9'");
    assertEquals("LIMIT_EXCEEDED", result.at("/error/code").textValue(), result.toString());
    assertTrue(result.at("/error/message").textValue().contains("memory"), result.toString());
  }

  @Test
  void agentIsKilledBeforeTheService() throws IOException {
    assertEquals("1000", reply("cat /proc/self/oom_score_adj"));
  }

  @Test
  void agentHasFewDescriptorsAndNoLargeFiles() throws IOException {
    String script = "for kind in S H; do for limit in n f c; do ulimit -$kind$limit; done; done";
    assertEquals("1024 2097152 0 1024 2097152 0", reply(script).replace("\n", " "));
  }

  /// The service comes first on a machine that both share.
  @Test
  void agentHasASmallShareOfTheProcessor() throws IOException {
    List<Path> groups = ControlGroups.find().bases();
    try (Bench bench = Bench.sandboxed(folder)) {
      CompletableFuture<Void> turn =
          bench.start("touch ready; until [ -e go ]; do sleep 0.05; done");
      Bench.await("the agent's start", () -> Files.exists(bench.work("ready")));
      boolean isWeighed = weight(bench, groups).isPresent();
      if (isWeighed) {
        Bench.await("the small share", () -> weight(bench, groups).orElse(1.0) <= 0.25);
      }
      Files.createFile(bench.work("go"));
      turn.join();
      assumeTrue(isWeighed, "needs a control group for the processor");
    }
  }

  @Test
  void sessionOverItsShareOfTheDiskIsStopped() throws IOException {
    JsonNode result =
        little("for i in 1 2 3 4; do head -c 50000000 /dev/zero > $i; done; sleep 60");
    assertEquals("LIMIT_EXCEEDED", result.at("/error/code").textValue(), result.toString());
    assertTrue(result.at("/error/message").textValue().contains("disk"), result.toString());
  }

  @Test
  void filesThatAreDeletedAndOpenCountForTheShare() throws IOException {
    JsonNode result =
        little(
            """
            for i in 1 2 3 4; do
              exec {open}>$i; rm $i; head -c 50000000 /dev/zero >&$open
            done
            sleep 60
            """);
    assertEquals("LIMIT_EXCEEDED", result.at("/error/code").textValue(), result.toString());
    assertTrue(result.at("/error/message").textValue().contains("disk"), result.toString());
  }

  @Test
  void whatATurnKeepsForItselfGoesWithTheTurn() throws IOException {
    try (Bench bench = Bench.sandboxed(folder)) {
      bench.run("mkdir /io/k /tmp/k && echo x | tee /io/k/f > /tmp/k/f; chmod 000 /io/k /tmp/k");
      assertTrue(Files.notExists(bench.work("..").normalize().resolve("io")));
    }
  }

  @Test
  void fileThatIsMostlyAHoleIsNotRecorded() throws IOException {
    try (Bench bench = Bench.sandboxed(folder)) {
      JsonNode result = bench.run("truncate -s 1G hollow; echo ok > solid; echo ok");
      assertEquals("completed", result.get("outcome").textValue());
      assertEquals("/workspace/solid", result.at("/artifacts/0/path").textValue());
      assertTrue(bench.said().contains("hole"), bench.said());
    }
  }

  @Test
  void turnRecordsSoManyBytesAndNoMore() throws IOException {
    JsonNode result = little("for i in 1 2 3; do head -c 9000000 /dev/urandom > $i; done; echo ok");
    assertEquals("completed", result.get("outcome").textValue(), result.toString());
    try (Bench bench = Bench.sandboxed(folder, recording(20 * MIB))) {
      result = bench.run("for i in 1 2 3; do head -c 9000000 /dev/urandom > $i; done; echo ok");
      assertEquals(2, result.get("artifacts").size(), result.toString());
    }
  }

  @Test
  void endlessNamesAreLeftOut() throws IOException {
    assertEquals(8 << 20, Limits.STANDARD.names());
    try (Bench bench = Bench.sandboxed(folder, LITTLE)) {
      JsonNode result =
          bench.run(
              """
              name=$(printf 'n%.0s' $(seq 250))
              path=.
              for i in $(seq 12); do path=$path/$name; mkdir $path; done
              cd -P $path && seq 600 | xargs touch && echo ok
              """);
      assertEquals("completed", result.get("outcome").textValue(), result.toString());
      assertTrue(bench.said().contains("not looked at"), bench.said());
    }
  }

  @Test
  void uploadsThatFailLeaveNoFileOpen() throws IOException {
    try (Bench bench = Bench.sandboxed(folder)) {
      bench.service.objectsAnswer(403);
      bench.run("for i in 1 2 3; do head -c 3000000 /dev/urandom > left$i; done; echo ok");
      assertEquals(List.of(), openFiles().filter(name -> name.contains(folder + "/")).toList());
    }
  }

  private static Limits recording(long bytes) {
    return new Limits(
        4 * MIB, 64 * MIB, 200, 256, 256 * MIB, 99 * MIB, MIB, bytes, bytes, 40, 1000, 2000, MIB,
        MIB);
  }

  private static Stream<String> openFiles() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.map(ContainmentTest::target).toList().stream();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException gone) {
      return "";
    }
  }

  private JsonNode little(String script) throws IOException {
    try (Bench bench = Bench.sandboxed(folder, LITTLE)) {
      return bench.run(script);
    }
  }

  /// The weight of the control group in which a bench's agent is, as a part of the usual one.
  private static Optional<Double> weight(Bench bench, List<Path> groups) {
    return ProcessHandle.allProcesses()
        .filter(bench::isInSandbox)
        .flatMap(process -> Bench.kernel(process, "cgroup").lines())
        .map(line -> line.substring(line.lastIndexOf('/') + 1))
        .filter(name -> name.startsWith("agent-sessions-"))
        .flatMap(name -> groups.stream().map(group -> group.resolve(name)))
        .flatMap(group ->
            Stream.concat(
                part(group.resolve("cpu.shares"), 1024), part(group.resolve("cpu.weight"), 100)))
        .findFirst();
  }

  private static Stream<Double> part(Path file, double usual) {
    try {
      return Stream.of(Double.parseDouble(Files.readString(file).strip()) / usual);
    } catch (IOException none) {
      return Stream.empty();
    }
  }

  private String reply(String script) throws IOException {
    try (Bench bench = Bench.sandboxed(folder)) {
      JsonNode result = bench.run(script);
      return result.path("reply").asText(result.toString());
    }
  }
}
