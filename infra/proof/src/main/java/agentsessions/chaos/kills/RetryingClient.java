package agentsessions.chaos.kills;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/// A client that sends one message after the other to a session of its own, with retries across
/// crashes of the service, and records which were accepted and how their turns ended.
final class RetryingClient {
  private static final Duration TIMEOUT = Duration.ofMinutes(6);

  /// A key has 100 requests a minute.
  private static final Duration POLL_INTERVAL = Duration.ofMillis(800);

  /// The statuses that a client must retry.
  private static final Set<Integer> BUSY = Set.of(429, 503);

  private static final Set<String> LIVE = Set.of("queued", "running", "requires_action");

  private final Client client;
  private final List<Ended> ended = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private String path = "/sessions";
  private volatile boolean stopped;

  RetryingClient(Client client) {
    this.client = client;
  }

  /// An accepted turn, with the end that its client has seen.
  ///
  /// @param how `completed`, or the code of its error
  record Ended(String message, String reply, String how) {}

  /// Sends so many messages at most, until it is stopped or has found a failure.
  void talk(int most) {
    try {
      for (int number = 0; number < most && !stopped; number++) {
        ended.add(turn("said " + number, number % 2 * 2));
      }
    } catch (AssertionError | ConditionTimeoutException wrong) {
      failures.add(path + ": " + wrong.getMessage());
    }
  }

  void stop() {
    stopped = true;
  }

  List<Ended> ended() {
    return List.copyOf(ended);
  }

  /// Whether no failure was found yet.
  boolean isWell() {
    return failures.isEmpty();
  }

  /// All failures, also those of the history as it is now.
  List<String> failures() {
    List<String> all = new ArrayList<>(failures);
    List<String> known =
        ended.stream().flatMap(turn -> Stream.of(turn.message(), turn.reply())).toList();
    if (failures.isEmpty() && !history().equals(known)) {
      all.add("%s: the history is %s, but was seen as %s".formatted(path, history(), known));
    }
    return all;
  }

  private Ended turn(String said, int seconds) {
    String script = "sleep %d; echo %s".formatted(seconds, said);
    JsonNode page = end(accepted(script));
    String reply = page.at("/items/0/message").asText().strip();
    boolean completed = page.at("/thread/status").asText().equals("completed");
    String how = completed ? "completed" : page.at("/thread/error/code").asText("none");
    boolean known = completed ? reply.equals(said) : how.equals("RUNNER_LOST");
    require(known && !reply.isEmpty(), "a turn that was accepted has ended so: " + page);
    return new Ended(script, reply, how);
  }

  /// The reply link of a message, which is sent until it is accepted: once, by its idempotency key.
  private String accepted(String script) {
    boolean first = path.equals("/sessions");
    Map<String, String> body =
        first ? Map.of("agent_name", "shell", "message", script) : Map.of("message", script);
    String key = UUID.randomUUID().toString();
    ApiResponse answer = answered(201, () -> client.post(path, body, "Idempotency-Key", key));
    if (first) {
      path = "/sessions/" + answer.text("/id") + "/messages";
    }
    return answer.text("/_links/final_message/href");
  }

  private JsonNode end(String link) {
    return Await.await("an end of the accepted turn " + link, TIMEOUT, POLL_INTERVAL)
        .until(
            () -> answered(200, () -> client.get(link)).json(),
            page -> !LIVE.contains(page.at("/thread/status").asText()));
  }

  /// The history without the agent's messages before its replies, oldest first.
  private List<String> history() {
    List<String> history = new ArrayList<>();
    String next = path + "?limit=100";
    while (!next.isEmpty()) {
      String page = next;
      ApiResponse answer = answered(200, () -> client.get(page));
      for (JsonNode item : answer.json().path("items")) {
        if (item.path("role").asText().equals("user")
            || item.path("type").asText().equals("final_message")) {
          history.add(item.path("message").asText().strip());
        }
      }
      next = answer.text("/_links/next/href");
    }
    return history;
  }

  /// The answer with this status; repeats the request while the service is away or busy.
  private static ApiResponse answered(int wanted, Supplier<ApiResponse> request) {
    AtomicReference<ApiResponse> last = new AtomicReference<>();
    Await.await("an answer", TIMEOUT, POLL_INTERVAL).until(() -> isThere(last, request));
    return last.get().expect(wanted);
  }

  private static boolean isThere(AtomicReference<ApiResponse> last, Supplier<ApiResponse> request) {
    try {
      last.set(request.get());
      return !BUSY.contains(last.get().status());
    } catch (UncheckedIOException away) {
      if (Thread.currentThread().isInterrupted()) {
        throw away; // the test has run out of time, and no request would be sent any more
      }
      return false;
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
