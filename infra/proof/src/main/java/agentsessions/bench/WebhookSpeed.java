package agentsessions.bench;

import agentsessions.chaos.rig.LatencyFigures;
import agentsessions.chaos.rig.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/// Delivery latency of a webhook that answers: alone, and beside another one that answers, hangs or
/// refuses connections, in rounds of one run. Every event must come, none before the API shows its
/// state, and those for the dead webhook must stay pending. Medians of the rounds; on a shared
/// machine only ratios mean much.
final class WebhookSpeed {
  private static final int ROUNDS = 5;
  private static final int AT_ONCE = 4;

  /// The most that a dead webhook may add to the slowest delivery, in milliseconds: far less than a
  /// hanging attempt takes, and more than a busy machine adds.
  private static final double MOST_ADDED = 2_000;

  /// The second webhook of the workspace.
  enum Neighbour {
    NOBODY("alone"),
    WELL("beside one that answers"),
    HANGING("beside one that hangs"),
    REFUSING("beside one that refuses");

    private final String label;

    Neighbour(String label) {
      this.label = label;
    }

    boolean isDead() {
      return this == HANGING || this == REFUSING;
    }
  }

  /// The latencies of one round, in milliseconds.
  private record Times(double middle, double last) {}

  private final Map<Neighbour, List<Times>> rounds = new EnumMap<>(Neighbour.class);
  private final Map<Neighbour, WebhookScenario> audiences = new EnumMap<>(Neighbour.class);
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();

  private WebhookSpeed() {}

  /// @param count events in all
  static List<String> run(Path data, int count) throws Exception {
    try (ServiceProcess service =
        new ServiceProcess(data.resolve("told"), Map.of(), List.of("--allow-private"))) {
      service.await();
      return new WebhookSpeed().measured(service, count);
    }
  }

  private List<String> measured(ServiceProcess service, int count) throws Exception {
    int sessions =
        Math.max(
            1, Math.ceilDiv(count, ROUNDS * Neighbour.values().length * WebhookScenario.EVENTS));
    long begun = System.nanoTime();
    try {
      for (Neighbour neighbour : Neighbour.values()) {
        audiences.put(neighbour, new WebhookScenario(service, neighbour, broken));
        play(neighbour, AT_ONCE); // warms up, not counted
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Neighbour neighbour : Neighbour.values()) {
          List<Long> times = play(neighbour, sessions);
          rounds
              .computeIfAbsent(neighbour, _ -> new ArrayList<>())
              .add(
                  new Times(
                      LatencyFigures.percentile(times, 50), LatencyFigures.percentile(times, 99)));
        }
      }
      long events = audiences.values().stream().mapToLong(WebhookScenario::heard).sum();
      double seconds = (System.nanoTime() - begun) / 1e9;
      for (WebhookScenario audience : audiences.values()) {
        audience.judge();
      }
      print(events, seconds);
    } finally {
      audiences.values().forEach(WebhookScenario::close);
    }
    return List.copyOf(broken);
  }

  /// The latencies from each event to its arrival, in nanoseconds.
  private List<Long> play(Neighbour neighbour, int sessions) throws Exception {
    WebhookScenario audience = audience(neighbour);
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        all.add(threads.submit(audience::play));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    return audience.times();
  }

  private void print(long events, double seconds) throws IOException {
    System.out.printf(
        "%n| a webhook that answers, medians of %d rounds | events | p50 ms | p99 ms | p99 of"
            + " \"%s\" |%n|---|---|---|---|---|%n",
        ROUNDS, Neighbour.WELL.label);
    rounds.keySet().forEach(neighbour -> System.out.println(row(neighbour)));
    System.out.printf(
        "%n%d events in %.0f s; load %s%n",
        events, seconds, Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]);
  }

  private String row(Neighbour neighbour) {
    double last = last(neighbour);
    double well = last(Neighbour.WELL);
    if (neighbour.isDead() && last > well + MOST_ADDED) {
      broken.add("p99 %s: %.0f ms, not %.0f".formatted(neighbour.label, last, well));
    }
    return "| %s | %d | %.0f | %.0f | %.2f |"
        .formatted(
            neighbour.label,
            audience(neighbour).heard(),
            middle(neighbour, Times::middle),
            last,
            last / well);
  }

  private WebhookScenario audience(Neighbour neighbour) {
    return Objects.requireNonNull(audiences.get(neighbour));
  }

  private double last(Neighbour neighbour) {
    return middle(neighbour, Times::last);
  }

  private double middle(Neighbour neighbour, Function<Times, Double> which) {
    return Median.of(Objects.requireNonNull(rounds.get(neighbour)).stream().map(which).toList());
  }
}
