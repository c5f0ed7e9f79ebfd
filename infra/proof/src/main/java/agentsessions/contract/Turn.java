package agentsessions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/// One message that was sent, known by the link that was handed out for its reply.
record Turn(Client client, String link) {
  private static final Set<String> LIVE = Set.of("queued", "running");

  JsonNode poll() {
    return client.get(link).ok();
  }

  /// Loops as the simplest client does, until `items` is not empty.
  JsonNode reply() {
    return Await.until(
        "a reply at " + link, () -> Optional.ofNullable(poll().path("items").get(0)));
  }

  String text() {
    return reply().path("message").asText();
  }

  /// The page once the turn has ended, however it did.
  JsonNode ended() {
    return Await.until(
        "an end of " + link,
        () -> Optional.of(poll()).filter(page -> !LIVE.contains(status(page))));
  }

  /// This turn, seen at work.
  Turn running() {
    Await.until(
        "work on " + link, () -> Optional.of(poll()).filter(p -> status(p).equals("running")));
    return this;
  }

  String id() {
    String before = link.substring(0, link.lastIndexOf("/messages"));
    return before.substring(before.lastIndexOf('/') + 1);
  }

  static String status(JsonNode page) {
    return page.at("/thread/status").asText();
  }
}
