package agentsessions.chaos;

import agentsessions.chaos.Client.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Four hostile sessions beside twenty others: none of the others may lose a turn or be refused,
/// and the slowest of their polls may be five times as slow as without the four.
final class Hostile implements AutoCloseable {
  private static final List<Attack> ATTACKS = List.of(Attack.values());
  private static final int BYSTANDERS = 20;
  private static final int HOSTILE = 4;
  private static final int KEYS = 8;
  private static final double MOST = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration BETWEEN_POLLS = Duration.ofMillis(500);

  private final ServiceProcess service;
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Integer> ends = Collections.synchronizedMap(new TreeMap<>());

  Hostile(Path data) throws IOException {
    Path catalogue = Files.writeString(data.resolve("agents.yaml"), Attack.CATALOGUE);
    service =
        new ServiceProcess(
            data,
            Map.of(),
            List.of(
                "--agents",
                catalogue.toString(),
                "--turn-memory",
                "1024",
                "--session-disk",
                "512"));
    service.await();
  }

  /// Runs for so long in the quiet, then for so long with the hostile four.
  Hostile run(Duration time) throws Exception {
    bystanders(Duration.ofSeconds(15)); // the first turns of a service are its slowest
    Figures quiet = bystanders(Duration.ofSeconds(Math.clamp(time.toSeconds() / 3, 10, 60)));
    System.out.println("quiet:   " + quiet);
    Figures loud = withHostile(time);
    System.out.println("hostile: " + loud);
    ends.forEach((end, count) -> System.out.printf("  %4d x %s%n", count, end));
    if (loud.percentile(99) > MOST * quiet.percentile(99)) {
      failures.add("p99 of a poll is more than %.0f times as slow".formatted(MOST));
    }
    return this;
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    service.close();
  }

  private Figures withHostile(Duration time) throws Exception {
    Instant end = Instant.now().plus(time);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int number = 0; number < HOSTILE; number++) {
        Client client = service.client(Rig.workspace(), KEYS);
        int first = number * 2;
        threads.execute(() -> attack(client, first, end));
      }
      return bystanders(time);
    }
  }

  /// One attack after the other, each in the same session as long as there is one.
  private void attack(Client client, int first, Instant end) {
    for (int number = first; Instant.now().isBefore(end); number++) {
      Attack attack = ATTACKS.get(number % ATTACKS.size());
      try {
        Answer begun =
            client.post(
                "/sessions", Map.of("agent_name", attack.agent(), "message", attack.script()));
        String link = begun.expect(201).text("/_links/final_message/href");
        String reply = reply(client, link, new Figures());
        ends.merge(attack + ": " + shortened(reply), 1, Integer::sum);
      } catch (IOException | RuntimeException | AssertionError refused) {
        ends.merge(
            attack + ": " + shortened(String.valueOf(refused.getMessage())), 1, Integer::sum);
      } catch (InterruptedException ended) {
        return;
      }
    }
  }

  private static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.substring(0, Math.min(100, line.length()));
  }

  private Figures bystanders(Duration time) throws Exception {
    Figures figures = new Figures();
    Instant end = Instant.now().plus(time);
    List<Future<?>> bystanders = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int number = 0; number < BYSTANDERS; number++) {
        Client client = service.client(Rig.workspace(), KEYS);
        bystanders.add(
            threads.submit(() -> {
              while (Instant.now().isBefore(end)) {
                turn(client, figures);
              }
              return null;
            }));
      }
      for (Future<?> bystander : bystanders) {
        bystander.get(); // what went wrong in one is no figure
      }
    }
    return figures;
  }

  private void turn(Client client, Figures figures) throws InterruptedException {
    String said = "hello " + numbers.incrementAndGet();
    String script = "sleep 1; echo plan > PLAN.md; echo " + said;
    long start = System.nanoTime();
    try {
      Answer begun = client.post("/sessions", Map.of("agent_name", "shell", "message", script));
      String link = begun.expect(201).text("/_links/final_message/href");
      String reply = reply(client, link, figures);
      if (reply.equals(said)) {
        figures.turn(System.nanoTime() - start);
      } else {
        failures.add("lost: " + said + ": " + shortened(reply));
      }
    } catch (IOException | RuntimeException | AssertionError refused) {
      failures.add("refused: " + said + ": " + shortened(String.valueOf(refused)));
    }
  }

  private static String reply(Client client, String link, Figures figures)
      throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(deadline)) {
      long start = System.nanoTime();
      Answer answer = client.get(link).expect(200);
      figures.poll(System.nanoTime() - start);
      if (!answer.body().path("items").isEmpty()) {
        return answer.text("/items/0/message").strip();
      }
      Thread.sleep(BETWEEN_POLLS);
    }
    return "no reply in " + PATIENCE.toSeconds() + " s";
  }

  /// How long turns and polls took.
  private static final class Figures {
    private final List<Long> polls = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> turns = Collections.synchronizedList(new ArrayList<>());

    void poll(long nanos) {
      polls.add(nanos);
    }

    void turn(long nanos) {
      turns.add(nanos);
    }

    /// Of a poll, in milliseconds.
    double percentile(int part) {
      return percentile(polls, part);
    }

    private static double percentile(List<Long> all, int part) {
      List<Long> sorted = all.stream().sorted().toList();
      return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) * part / 100) / 1e6;
    }

    @Override
    public String toString() {
      return "%d turns, p50 %.1f s, p99 %.1f s; %d polls, p50 %.0f ms, p99 %.0f ms"
          .formatted(
              turns.size(),
              percentile(turns, 50) / 1000,
              percentile(turns, 99) / 1000,
              polls.size(),
              percentile(50),
              percentile(99));
    }
  }
}
