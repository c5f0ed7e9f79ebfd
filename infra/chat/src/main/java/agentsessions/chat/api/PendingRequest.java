package agentsessions.chat.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request of an agent that waits for a person's decision.
///
/// @param tool null if it is not about a call of a tool
/// @param questions null if it asks none
/// @param planArtifactId null if it is not about a plan
/// @param fingerprint sent back with a decision, which then holds for nothing but what was shown
public record PendingRequest(
    String id,
    String sessionId,
    String threadId,
    String kind,
    String title,
    @Nullable Tool tool,
    @Nullable List<Question> questions,
    @Nullable String planArtifactId,
    String fingerprint,
    String expiresAt,
    @JsonProperty("_links") Links links) {
  public record Tool(String name, String kind, JsonNode input) {
    /// Where a connection leads to, as `host:port`; empty if it is a call of another kind.
    public Optional<String> address() {
      return kind.equals("host")
          ? Optional.of(input.path("host").asText() + ":" + input.path("port").asText())
          : Optional.empty();
    }
  }

  /// A question in words.
  ///
  /// @param multiple whether an answer may have several values
  /// @param freeText whether a value may be another text than that of an option
  public record Question(
      String id, String text, List<Option> options, boolean multiple, boolean freeText) {}

  public record Option(String value, String label, @Nullable String description) {}

  public record Links(ApiModel.Href decision) {}

  record Page(List<PendingRequest> items) {}

  public boolean isPlan() {
    return kind.equals("plan");
  }

  public boolean isPush() {
    return kind.equals("push");
  }

  /// What is asked in words; nothing where a call or a plan is to be decided on.
  public List<Question> asked() {
    return questions == null ? List.of() : questions;
  }
}
