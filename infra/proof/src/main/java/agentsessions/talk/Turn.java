package agentsessions.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/// One message that was sent, known by the link that was handed out for its reply.
public record Turn(Client client, String link) {
  private static final Set<String> LIVE = Set.of("queued", "running");

  public JsonNode poll() {
    return client.get(link).ok();
  }

  /// Loops as the simplest client does, until `items` is not empty.
  public JsonNode reply() {
    return client
        .await("a reply at " + link)
        .until(this::poll, page -> !page.path("items").isEmpty())
        .at("/items/0");
  }

  public String text() {
    return reply().path("message").asText();
  }

  /// The page once the turn has ended, however it did.
  public JsonNode ended() {
    return client.await("an end of " + link).until(this::poll, page -> !isLive(page));
  }

  /// This turn, seen at work.
  public Turn running() {
    client.await("work on " + link).until(this::poll, page -> status(page).equals("running"));
    return this;
  }

  public String id() {
    String before = link.substring(0, link.lastIndexOf("/messages"));
    return before.substring(before.lastIndexOf('/') + 1);
  }

  public static String status(JsonNode page) {
    return page.at("/thread/status").asText();
  }

  public String status() {
    return status(poll());
  }

  /// The reply of a turn that must complete.
  public String completed() {
    JsonNode page = ended();
    assertEquals("completed", status(page), page::toString);
    return page.at("/items/0/message").asText();
  }

  /// The reason of a turn that must fail.
  public String failure() {
    JsonNode page = ended();
    assertEquals("failed", status(page), page::toString);
    return page.at("/thread/error").toString();
  }

  /// What the turn has said and done so far.
  public List<String> transcript() {
    return history().path("items").findValuesAsText("message");
  }

  /// Waits until the turn, still running, has said this.
  public void awaitTranscript(String text) {
    JsonNode seen =
        client
            .await(text)
            .until(
                this::history,
                page -> page.path("items").toString().contains(text) || !isLive(page));
    assertTrue(isLive(seen), seen::toString);
  }

  private JsonNode history() {
    String thread = link.substring(0, link.lastIndexOf("/messages"));
    return client.get(thread + "/messages?type=message&type=tool_call&role=assistant").ok();
  }

  private static boolean isLive(JsonNode page) {
    return LIVE.contains(status(page));
  }
}
