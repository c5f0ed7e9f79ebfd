package agentsessions.chaos.hostile;

import agentsessions.chaos.rig.LatencyFigures;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Many readers, with a read-only key, of the largest page there is: a hundred messages of 256 KiB
/// each, all at once (C-F1).
final class LargePages {
  private static final int LEAST = 12;
  private static final int MOST = 30;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /// Run by the agent whose output is read line by line.
  private static final String WRITE =
      "perl -e 'print qq({\"type\":\"said\",\"text\":\"), \"x\" x 262_000, qq(\"}\\n) for 1 .. 100;"
          + " print qq({\"type\":\"result\",\"result\":\"written\"}\\n)'";

  private final URI page;
  private final String key;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Long> times = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Integer> answers = Collections.synchronizedMap(new TreeMap<>());

  /// Writes the messages.
  ///
  /// @param writer of the workspace that the key may read
  LargePages(Client writer, String key) {
    this.key = key;
    Map<String, String> message = Map.of("agent_name", "lines", "message", WRITE);
    ApiResponse begun = writer.post("/sessions", message).expect(201);
    String link = begun.text("/_links/final_message/href");
    String reply = Bystanders.reply(() -> writer.get(link).expect(200));
    if (!reply.equals("written")) {
      throw new AssertionError("the messages of the large pages: " + Bystanders.shortened(reply));
    }
    page = URI.create(writer.base() + "/sessions/" + begun.text("/id") + "/messages?limit=100");
  }

  /// Lets some readers read one page each at the same time; returns their number.
  int round(Random random) {
    int readers = random.nextInt(LEAST, MOST + 1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int number = 0; number < readers; number++) {
        threads.execute(() -> answers.merge(read(), 1, Integer::sum));
      }
    }
    return readers;
  }

  @Override
  public String toString() {
    return "pages of 100 x 256 KiB: p50 %.1f s, slowest %.1f s; answers to the reader %s"
        .formatted(
            LatencyFigures.percentile(times, 50) / 1e3,
            LatencyFigures.percentile(times, 100) / 1e3,
            answers);
  }

  private String read() {
    HttpRequest request =
        HttpRequest.newBuilder(page)
            .timeout(TIMEOUT)
            .header("Authorization", "ApiKey " + key)
            .build();
    long start = System.nanoTime();
    try {
      int status = http.send(request, BodyHandlers.discarding()).statusCode();
      times.add(System.nanoTime() - start);
      return String.valueOf(status);
    } catch (IOException dropped) {
      return "dropped";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "given up";
    }
  }
}
