package agentsessions.chaos.hostile;

import agentsessions.chaos.rig.LatencyFigures;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Twenty clients that use the service as intended, each in a workspace of its own: measures their
/// latencies, and records lost and refused turns.
final class Bystanders {
  static final String NO_REPLY = "no reply in ";
  private static final int COUNT = 20;
  private static final int KEYS = 5;
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration BETWEEN_POLLS = Duration.ofMillis(500);

  private final List<Client> clients = new ArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final Supplier<String> beside;
  private final Map<String, Integer> refusals = Collections.synchronizedMap(new TreeMap<>());
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

  /// @param beside describes the attacks that run at the moment
  Bystanders(ServiceProcess service, Supplier<String> beside) throws IOException {
    this.beside = beside;
    for (int number = 0; number < COUNT; number++) {
      clients.add(service.client(Rig.workspace(), KEYS));
    }
  }

  /// Runs all of them for this time.
  LatencyFigures run(Duration time) throws Exception {
    LatencyFigures figures = new LatencyFigures();
    Instant end = Instant.now().plus(time);
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Client client : clients) {
        all.add(
            threads.submit(() -> {
              while (Instant.now().isBefore(end)) {
                turn(client, figures);
              }
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get(); // fails if the client failed
      }
    }
    return figures;
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /// The number of answers that were no success, by their status.
  Map<String, Integer> refusals() {
    return refusals;
  }

  private void turn(Client client, LatencyFigures figures) {
    String said = "hello " + numbers.incrementAndGet();
    String script = "sleep 1; echo plan > PLAN.md; echo " + said;
    long start = System.nanoTime();
    try {
      ApiResponse begun =
          client.post("/sessions", Map.of("agent_name", "shell", "message", script));
      String link = noted(begun, 201).text("/_links/final_message/href");
      String reply = reply(() -> polled(client, link, said, figures));
      if (reply.equals(said)) {
        figures.turn(System.nanoTime() - start);
      } else {
        failures.add("lost: " + said + ": " + shortened(reply));
      }
    } catch (UncheckedIOException dropped) {
      refusals.merge("none", 1, Integer::sum);
      failures.add("refused: " + said + ": " + shortened(String.valueOf(dropped.getCause())));
    } catch (RuntimeException | AssertionError refused) {
      failures.add("refused: " + said + ": " + shortened(String.valueOf(refused)));
    }
  }

  private ApiResponse polled(Client client, String link, String said, LatencyFigures figures) {
    long start = System.nanoTime();
    ApiResponse answer = client.get(link);
    long taken = System.nanoTime() - start;
    figures.poll(
        taken,
        "of %s at %s beside %s".formatted(said, LocalTime.now(ZoneOffset.UTC), beside.get()));
    return noted(answer, 200);
  }

  private ApiResponse noted(ApiResponse answer, int wanted) {
    if (answer.status() != wanted) {
      refusals.merge(String.valueOf(answer.status()), 1, Integer::sum);
    }
    return answer.expect(wanted);
  }

  /// Polls until the reply is there, and returns it; [#NO_REPLY] and the waited time if none comes.
  static String reply(Supplier<ApiResponse> poll) {
    Instant deadline = Instant.now().plus(TIMEOUT);
    while (Instant.now().isBefore(deadline)) {
      ApiResponse answer = poll.get();
      if (!answer.json().path("items").isEmpty()) {
        return answer.text("/items/0/message").strip();
      }
      LockSupport.parkNanos(BETWEEN_POLLS.toNanos());
    }
    return NO_REPLY + TIMEOUT.toSeconds() + " s";
  }

  /// In one short line, since a report may have hundreds.
  static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.substring(0, Math.min(100, line.length()));
  }
}
