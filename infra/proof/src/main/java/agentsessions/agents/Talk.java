package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/// A session, and the turn of the message sent last.
///
/// @param sent what the service answered to that message
record Talk(Api api, String id, JsonNode sent) {
  private static final Set<String> LIVE = Set.of("queued", "running");
  private static final Duration LONG = Duration.ofSeconds(150);

  Talk send(String message) {
    return new Talk(api, id, api.post("/sessions/" + id + "/messages", Map.of("message", message)));
  }

  /// The turn's page; its `thread` says how the turn is.
  JsonNode page() {
    return api.get(sent.at("/_links/final_message/href").asText());
  }

  String status() {
    return page().at("/thread/status").asText();
  }

  /// The turn's page once it has ended.
  JsonNode ended() {
    return Api.await("end", LONG, this::page, page -> !isLive(page));
  }

  /// The reply of a turn that must complete.
  String reply() {
    JsonNode page = ended();
    assertEquals("completed", page.at("/thread/status").asText(), page::toString);
    return page.at("/items/0/message").asText();
  }

  /// The reason of a turn that must fail.
  String failure() {
    JsonNode page = ended();
    assertEquals("failed", page.at("/thread/status").asText(), page::toString);
    return page.at("/thread/error").toString();
  }

  /// What the turn has said and done so far.
  List<String> transcript() {
    return history().path("items").findValuesAsText("message");
  }

  /// Waits until the turn, still running, has said this.
  void awaitTranscript(String text) {
    JsonNode seen =
        Api.await(
            "live " + text,
            LONG,
            this::history,
            page -> page.path("items").toString().contains(text) || !isLive(page));
    assertTrue(isLive(seen), seen::toString);
  }

  private JsonNode history() {
    return api.get(
        "/sessions/%s/threads/%s/messages?type=message&type=tool_call&role=assistant"
            .formatted(id, sent.path("thread_id").asText()));
  }

  private static boolean isLive(JsonNode page) {
    return LIVE.contains(page.at("/thread/status").asText());
  }

  JsonNode load() {
    return api.get("/sessions/" + id);
  }

  JsonNode artifact(String path) {
    JsonNode items = api.get("/sessions/" + id + "/artifacts?limit=100").path("items");
    return StreamSupport.stream(items.spliterator(), false)
        .filter(artifact -> artifact.path("file_path").asText().equals(path))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + path + " in " + items));
  }
}
