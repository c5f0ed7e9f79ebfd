package agentsessions.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.awaitility.core.ConditionFactory;

/// A session, and the turn of the message sent last.
///
/// @param sent what the service answered to that message
public record Talk(Client client, String id, JsonNode sent) {
  private static final Set<String> LIVE = Set.of("queued", "running");
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration PACE = Duration.ofMillis(700); // a key has 100 requests a minute

  /// Sends a follow-up.
  public Talk send(String message) {
    return new Talk(
        client, id, client.post("/sessions/" + id + "/messages", Map.of("message", message)));
  }

  /// The turn's page; its `thread` says how the turn is.
  public JsonNode page() {
    return client.get(sent.at("/_links/final_message/href").asText());
  }

  public String status() {
    return page().at("/thread/status").asText();
  }

  /// The turn's page once it has ended.
  public JsonNode ended() {
    return await("an end of the turn").until(this::page, page -> !isLive(page));
  }

  /// The reply of a turn that must complete.
  public String reply() {
    JsonNode page = ended();
    assertEquals("completed", page.at("/thread/status").asText(), page::toString);
    return page.at("/items/0/message").asText();
  }

  /// The reason of a turn that must fail.
  public String failure() {
    JsonNode page = ended();
    assertEquals("failed", page.at("/thread/status").asText(), page::toString);
    return page.at("/thread/error").toString();
  }

  /// This turn, seen at work.
  public Talk running() {
    await("work on the turn").until(this::status, "running"::equals);
    return this;
  }

  /// The turn's id.
  public String turn() {
    return sent.path("thread_id").asText();
  }

  /// What the turn has said and done so far.
  public List<String> transcript() {
    return history().path("items").findValuesAsText("message");
  }

  /// Waits until the turn, still running, has said this.
  public void awaitTranscript(String text) {
    JsonNode seen =
        await(text)
            .until(
                this::history,
                page -> page.path("items").toString().contains(text) || !isLive(page));
    assertTrue(isLive(seen), seen::toString);
  }

  private static ConditionFactory await(String what) {
    return Await.await(what, LONG, PACE);
  }

  private JsonNode history() {
    return client.get(
        "/sessions/%s/threads/%s/messages?type=message&type=tool_call&role=assistant"
            .formatted(id, turn()));
  }

  private static boolean isLive(JsonNode page) {
    return LIVE.contains(page.at("/thread/status").asText());
  }

  /// The session.
  public JsonNode load() {
    return client.get("/sessions/" + id);
  }

  /// The artifact that was made at this path.
  public JsonNode artifact(String path) {
    JsonNode items = client.get("/sessions/" + id + "/artifacts?limit=100").path("items");
    return StreamSupport.stream(items.spliterator(), false)
        .filter(artifact -> artifact.path("file_path").asText().equals(path))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + path + " in " + items));
  }
}
