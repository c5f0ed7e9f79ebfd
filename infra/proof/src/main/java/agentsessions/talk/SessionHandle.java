package agentsessions.talk;

import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A session as its client holds it: the answer to `POST /sessions`, and the questions that can be
/// asked about it.
public record SessionHandle(Client client, JsonNode created) {
  public String id() {
    return created.path("id").asText();
  }

  public String path() {
    return "/sessions/" + id();
  }

  /// The first message's turn.
  public TurnHandle first() {
    return new TurnHandle(client, created.at("/_links/final_message/href").asText());
  }

  /// Sends a follow-up.
  public TurnHandle send(String script) {
    return send(script, Map.of());
  }

  /// Sends a follow-up with further fields beside its message, such as files.
  public TurnHandle send(String script, Map<String, ?> work) {
    Map<String, Object> body = new HashMap<>(work);
    body.put("message", script);
    ApiResponse sent = client.post(path() + "/messages", body).expect(201);
    return new TurnHandle(client, sent.text("/_links/final_message/href"));
  }

  /// Sends a follow-up that waits for the turns before it.
  public TurnHandle queue(String script) {
    return send(script, Map.of("on_running", "queue"));
  }

  public JsonNode load() {
    return client.get(path()).ok();
  }

  /// One of its turns, as the API shows it.
  public JsonNode thread(TurnHandle turn) {
    return client.get(path(turn)).ok();
  }

  public ApiResponse cancel(TurnHandle turn) {
    return client.send("POST", path(turn) + "/cancel", null);
  }

  public String path(TurnHandle turn) {
    return path() + "/threads/" + turn.id();
  }

  /// Its pending request, once there is one.
  public JsonNode pending() {
    return client
        .await("a request of " + path())
        .until(() -> client.get(inbox()).ok().path("items"), items -> !items.isEmpty())
        .get(0);
  }

  /// The pending requests of this session.
  public String inbox() {
    return "/requests?session_id=" + id();
  }

  /// A page of the history; the query begins with `?`, or is empty.
  public JsonNode messages(String query) {
    return client.get(path() + "/messages" + query).ok();
  }

  public List<String> texts(String query) {
    return messages(query).path("items").findValuesAsText("message");
  }

  public List<String> planArtifactIds() {
    List<String> ids = new ArrayList<>();
    load().path("plan_artifact_ids").forEach(id -> ids.add(id.asText()));
    return ids;
  }

  public JsonNode artifact(String artifactId) {
    return client.get(path() + "/artifacts/" + artifactId).ok();
  }

  public JsonNode artifacts() {
    return client.get(path() + "/artifacts?limit=100").ok().path("items");
  }

  /// The artifact of this name.
  public JsonNode artifactNamed(String fileName) {
    return artifact("file_name", fileName);
  }

  /// The artifact that was made at this path.
  public JsonNode artifactAt(String filePath) {
    return artifact("file_path", filePath);
  }

  private JsonNode artifact(String field, String value) {
    JsonNode artifacts = artifacts();
    return artifacts
        .valueStream()
        .filter(artifact -> artifact.path(field).asText().equals(value))
        .reduce((_, last) -> last)
        .orElseGet(() -> fail("No " + value + " in " + artifacts));
  }
}
