package agentsessions.chat.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request of an agent that waits for a person's decision.
///
/// @param tool null if it is not about a call of a tool
/// @param fingerprint sent back with a decision, which then holds for nothing but what was shown
public record PendingRequest(
    String id,
    String sessionId,
    String threadId,
    String title,
    @Nullable Tool tool,
    String fingerprint,
    String expiresAt,
    @JsonProperty("_links") Links links) {
  public record Tool(String name, String kind, JsonNode input) {}

  public record Links(ApiModel.Href decision) {}

  record Page(List<PendingRequest> items) {}
}
