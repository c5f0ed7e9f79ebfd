package agentsessions.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a client opens a session with.
public record Opening(
    String agentName,
    String message,
    @Nullable String title,
    Map<String, String> metadata,
    Inputs inputs,
    @Nullable OwnWebhook hook) {

  /// Without a webhook of its own.
  public Opening(
      String agentName,
      String message,
      @Nullable String title,
      Map<String, String> metadata,
      Inputs inputs) {
    this(agentName, message, title, metadata, inputs, null);
  }

  /// A message, and nothing else.
  public static Opening of(String agentName, String message) {
    return new Opening(agentName, message, null, Map.of(), Inputs.NONE);
  }
}
