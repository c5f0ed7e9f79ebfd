package agentsessions.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The turn of a sent message, known by the reply link in the answer.
public record TurnHandle(Client client, String link) {
  private static final Set<String> LIVE = Set.of("queued", "running", "requires_action");

  private static final ThreadLocal<@Nullable JsonNode> LAST = new ThreadLocal<>();

  public JsonNode poll() {
    JsonNode page = client.get(link).ok();
    LAST.set(page.path("thread"));
    return page;
  }

  /// Polls like the simplest client, until `items` is not empty.
  public JsonNode reply() {
    return client
        .await("a reply at " + link)
        .until(this::poll, page -> !page.path("items").isEmpty())
        .at("/items/0");
  }

  public String text() {
    return reply().path("message").asText();
  }

  /// The page once the turn has ended, with any status.
  public JsonNode ended() {
    return client.await("an end of " + link).until(this::poll, page -> !isLive(page));
  }

  /// The turn that this thread has looked at last, for a test that fails after it.
  public static Optional<JsonNode> last() {
    return Optional.ofNullable(LAST.get());
  }

  public static void forgetLast() {
    LAST.remove();
  }

  /// This turn, once it is running.
  public TurnHandle running() {
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

  /// The reply; fails if the turn does not complete.
  public String completed() {
    JsonNode page = ended();
    assertEquals("completed", status(page), page::toString);
    return page.at("/items/0/message").asText();
  }

  /// The error; fails if the turn does not fail.
  public String failure() {
    JsonNode page = ended();
    assertEquals("failed", status(page), page::toString);
    return page.at("/thread/error").toString();
  }

  /// The agent's messages and tool calls of this turn so far.
  public List<String> transcript() {
    return history().path("items").findValuesAsText("message");
  }

  /// The rows of this turn's tool calls, oldest first.
  public List<String> toolCalls() {
    String thread = link.substring(0, link.lastIndexOf("/messages"));
    String rows = thread + "/messages?type=tool_call&role=assistant&limit=100";
    return client.get(rows).ok().path("items").findValuesAsText("message");
  }

  /// Waits until the transcript of the running turn contains this text; fails if the turn ends
  /// before.
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
