package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A session in its client's hands: what `POST /sessions` answered, and what can be asked about it.
record Session(Client client, JsonNode created) {
  String id() {
    return created.path("id").asText();
  }

  String path() {
    return "/sessions/" + id();
  }

  /// The first message's turn.
  Turn first() {
    return new Turn(client, created.at("/_links/final_message/href").asText());
  }

  /// Sends a follow-up.
  Turn send(String script) {
    return send(script, Map.of());
  }

  /// Sends a follow-up that brings something to work on.
  Turn send(String script, Map<String, ?> work) {
    Map<String, Object> body = new HashMap<>(work);
    body.put("message", script);
    JsonNode sent = client.post(path() + "/messages", body).expect(201).json();
    return new Turn(client, sent.at("/_links/final_message/href").asText());
  }

  JsonNode load() {
    return client.get(path()).ok();
  }

  /// A page of the history; the query begins with `?`, or is empty.
  JsonNode messages(String query) {
    return client.get(path() + "/messages" + query).ok();
  }

  List<String> texts(String query) {
    return messages(query).path("items").findValuesAsText("message");
  }

  List<String> planArtifactIds() {
    List<String> ids = new ArrayList<>();
    load().path("plan_artifact_ids").forEach(id -> ids.add(id.asText()));
    return ids;
  }

  JsonNode artifact(String artifactId) {
    return client.get(path() + "/artifacts/" + artifactId).ok();
  }

  JsonNode artifacts() {
    return client.get(path() + "/artifacts?limit=100").ok().path("items");
  }

  /// The one artifact of this name.
  JsonNode artifactNamed(String fileName) {
    JsonNode found = null;
    for (JsonNode artifact : artifacts()) {
      if (artifact.path("file_name").asText().equals(fileName)) {
        found = artifact;
      }
    }
    return found == null ? fail("No artifact " + fileName + " in " + artifacts()) : found;
  }
}
