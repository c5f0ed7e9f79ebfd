package agentsessions.bench;

import static java.util.Objects.requireNonNull;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.local.machine.Installation;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Start times of the scripts that people type, with and without the caches that `scripts/start`
/// makes: medians of alternating starts, so that other load of the machine falls on both alike.
final class StartTimes implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
  private static final Duration REST = Duration.ofSeconds(20);
  private static final double START_GOAL = 1.6;
  private static final double ANSWER_GOAL = 0.4;
  private static final long IDLE_GOAL = 400;

  private enum Figure {
    FIRST("first keyed 200, s"),
    CPU("processor time until then, s"),
    KEYS("scripts/keys list, s"),
    CHAT("scripts/chat with a turn, s");

    private final String label;

    Figure(String label) {
      this.label = label;
    }
  }

  private static final Path SCRIPTS = Installation.find().root().resolve("scripts");

  private final Path data;
  private final boolean cached;
  private final Process process;
  private final long began = System.nanoTime();

  private StartTimes(Path data, boolean cached) throws IOException {
    this.data = data;
    this.cached = cached;
    boolean _ = Files.deleteIfExists(url()); // the one of the last start
    process = script("start", "--quiet", "--port", "0", "--s3-port", "0").start();
  }

  /// The first start makes the caches and is not counted.
  static List<String> run(Path data, int rounds) throws Exception {
    try (StartTimes first = new StartTimes(data, true)) {
      double _ = first.await();
      double _ = first.keys();
      double _ = first.chat();
    }
    Map<Figure, List<Double>> with = new EnumMap<>(Figure.class);
    Map<Figure, List<Double>> without = new EnumMap<>(Figure.class);
    for (int i = 0; i < rounds; i++) {
      start(data, true, with);
      start(data, false, without);
    }
    System.out.printf("| medians of %d starts | with caches | without | ratio |%n", rounds);
    System.out.println("|---|---|---|---|");
    for (Figure figure : Figure.values()) {
      double one = Median.of(requireNonNull(with.get(figure)));
      double other = Median.of(requireNonNull(without.get(figure)));
      System.out.printf("| %s | %.2f | %.2f | %.2f |%n", figure.label, one, other, one / other);
    }
    System.out.printf(
        "Goals: a start %.1f s, keys and chat %.1f s%n%s%n", START_GOAL, ANSWER_GOAL, idle(data));
    return List.of();
  }

  private static void start(Path data, boolean cached, Map<Figure, List<Double>> figures)
      throws Exception {
    try (StartTimes started = new StartTimes(data, cached)) {
      note(figures, Figure.FIRST, started.await());
      note(figures, Figure.CPU, started.processorTime());
      note(figures, Figure.KEYS, started.keys());
      note(figures, Figure.CHAT, started.chat());
    }
  }

  private static void note(Map<Figure, List<Double>> figures, Figure figure, double seconds) {
    figures.computeIfAbsent(figure, _ -> new ArrayList<>()).add(seconds);
  }

  private static String idle(Path data) throws Exception {
    try (StartTimes started = new StartTimes(data, true)) {
      double _ = started.await();
      LockSupport.parkNanos(REST.toNanos());
      return "Idle, all together: %d MiB of memory (goal %d)"
          .formatted(started.tree().mapToLong(StartTimes::memory).sum() >> 10, IDLE_GOAL);
    }
  }

  private double await() {
    Await.await("the start", TIMEOUT, POLL_INTERVAL).until(this::answers);
    return since(began);
  }

  /// The file in which the service writes its address.
  private Path url() {
    return data.resolve("base-url");
  }

  private boolean answers() {
    try {
      Path key = data.resolve("local-key");
      return Files.exists(key)
          && Files.exists(url())
          && Client.of(base(), List.of(text(key))).get("/me").status() == 200;
    } catch (IOException | UncheckedIOException notYet) {
      return false;
    }
  }

  private URI base() throws IOException {
    return ServiceProcess.host(text(url()));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  private double processorTime() {
    return tree()
            .mapToLong(each -> each.info().totalCpuDuration().orElse(Duration.ZERO).toMillis())
            .sum()
        / 1e3;
  }

  private double keys() throws Exception {
    return time(script("keys", "list", "--workspace", "local"));
  }

  private double chat() throws Exception {
    return time(script("chat", "--json", "--agent", "shell", "true"));
  }

  private static double time(ProcessBuilder script) throws Exception {
    long start = System.nanoTime();
    int status = script.start().waitFor();
    if (status != 0) {
      throw new AssertionError(script.command() + " ended with " + status);
    }
    return since(start);
  }

  private ProcessBuilder script(String name, String... arguments) {
    List<String> line = new ArrayList<>(List.of(SCRIPTS.resolve(name).toString()));
    line.addAll(Arrays.asList(arguments));
    line.addAll(List.of("--data", data.toString()));
    ProcessBuilder script = new ProcessBuilder(line);
    script.environment().put("AGENT_SESSIONS_CACHES", cached ? "" : "no");
    return script
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(data.resolveSibling("starts.log").toFile()));
  }

  private Stream<ProcessHandle> tree() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  /// The proportional share of memory, in KiB: pages that several processes share count once in
  /// all.
  private static long memory(ProcessHandle process) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/smaps_rollup"))) {
      return lines
          .filter(line -> line.startsWith("Pss:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .sum();
    } catch (IOException | UncheckedIOException gone) {
      return 0;
    }
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /// Ends the service as Ctrl-C does.
  @Override
  public void close() {
    process.destroy();
    Process _ = process.onExit().join();
  }
}
