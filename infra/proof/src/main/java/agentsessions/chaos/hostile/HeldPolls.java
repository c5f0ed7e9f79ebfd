package agentsessions.chaos.hostile;

import agentsessions.chaos.rig.RawHttp;
import agentsessions.chaos.rig.RawHttp.Request;
import agentsessions.talk.Client;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A workspace with many keys that holds as many long polls of its own session as it may: each one
/// occupies a connection that others may need (S-H4).
final class HeldPolls {
  static final int KEYS = 14;
  private static final int AT_ONCE = 300;

  private final Client client;
  private final RawHttp http;
  private final String events;
  private final Map<String, Integer> answers = Collections.synchronizedMap(new TreeMap<>());

  /// @param client uses the workspace's keys
  HeldPolls(URI service, Client client) {
    this.client = client;
    http = new RawHttp(service);
    Map<String, String> message = Map.of("agent_name", "shell", "message", "echo quiet");
    String session = client.post("/sessions", message).expect(201).text("/id");
    events = "/sessions/" + session + "/events?wait=";
  }

  /// One round of polls, which lasts as long as a poll may wait.
  void round() {
    String last = client.get(events + 0).expect(200).text("/next_after");
    String target = "/rest/v1" + events + "20&after=" + last;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int number = 0; number < AT_ONCE; number++) {
        String key = client.keys().get(number % client.keys().size());
        threads.execute(() -> answers.merge(poll(key, target), 1, Integer::sum));
      }
    }
  }

  @Override
  public String toString() {
    return "polls of 20 s, %d at once: answers %s".formatted(AT_ONCE, answers);
  }

  private String poll(String key, String target) {
    List<String> headers = List.of("Authorization: ApiKey " + key, "Accept: application/json");
    try {
      return String.valueOf(http.send(new Request("GET", target, headers, "")).status());
    } catch (IOException | AssertionError dropped) {
      return "dropped";
    }
  }
}
