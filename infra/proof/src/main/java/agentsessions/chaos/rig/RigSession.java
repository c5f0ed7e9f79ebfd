package agentsessions.chaos.rig;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A session in a workspace of its own on the rig, with its client and the stub runners of its
/// turns.
public final class RigSession {
  private final Rig rig;
  private final String workspace = Rig.workspace();
  private final Client client;
  private String session = "";

  /// @param keys number of keys that the client uses in turn: each allows 100 requests a minute
  public RigSession(Rig rig, int keys) {
    this.rig = rig;
    client = rig.client(workspace, keys);
  }

  public String workspace() {
    return workspace;
  }

  public String session() {
    return session;
  }

  public Client client() {
    return client;
  }

  public String path() {
    return "/sessions/" + session;
  }

  public TurnIds create(String message, String... headers) {
    return created(post(message, headers).expect(201));
  }

  public ApiResponse post(String message, String... headers) {
    return client.post("/sessions", Map.of("agent_name", "shell", "message", message), headers);
  }

  public TurnIds created(ApiResponse answer) {
    session = answer.text("/id");
    return turn(answer.text("/thread_id"));
  }

  public TurnIds say(String message, String... headers) {
    return turn(send(message, headers).expect(201).text("/thread_id"));
  }

  public ApiResponse send(String message, String... headers) {
    return client.post(path() + "/messages", Map.of("message", message), headers);
  }

  public ApiResponse interrupt() {
    return client.post(path() + "/interrupt", Map.of());
  }

  public ApiResponse export() {
    return client.post(path() + "/exports", Map.of());
  }

  public TurnIds turn(String thread) {
    return new TurnIds(workspace, session, thread);
  }

  public StubRunner runner(TurnIds turn) {
    return new StubRunner(rig, turn);
  }

  /// Plays a whole turn, from its claim to its release.
  public void complete(TurnIds turn, String reply, String... plans) throws IOException {
    StubRunner runner = runner(turn).claimed();
    List<Map<String, Object>> artifacts = new ArrayList<>();
    for (String plan : plans) {
      artifacts.addAll(runner.plan(plan));
    }
    runner.result(reply, artifacts).expect(200);
    runner.release().expect(200);
  }

  public ApiResponse poll(TurnIds turn) {
    return client
        .get(path() + "/threads/" + turn.thread() + "/messages?type=final_message&role=assistant")
        .expect(200);
  }

  /// The whole history: `user: text` and `assistant: text`, all pages, oldest first.
  public List<String> history() {
    return items(path() + "/messages?limit=100").stream()
        .map(item -> item.path("role").asText() + ": " + item.path("message").asText())
        .toList();
  }

  /// The statuses of the threads, oldest first.
  public List<String> statuses() {
    return items(path() + "/threads?limit=100").stream()
        .map(item -> item.path("status").asText())
        .toList();
  }

  /// The items of all pages.
  public List<JsonNode> items(String first) {
    List<JsonNode> items = new ArrayList<>();
    String next = first;
    while (!next.isEmpty()) {
      ApiResponse page = client.get(next).expect(200);
      page.json().path("items").forEach(items::add);
      next = page.text("/_links/next/href");
    }
    return items;
  }
}
