package agentsessions.session;

import agentsessions.session.usage.Ceilings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a client opens a session with.
///
/// @param title null: the message's beginning
/// @param keyId of the key it is opened with
public record Opening(
    String agentName,
    String message,
    @Nullable String title,
    Map<String, String> metadata,
    Inputs inputs,
    @Nullable OwnWebhook hook,
    Ceilings.OfSession limits,
    String keyId) {

  /// A message, and nothing else, not even a key that anybody has.
  public static Opening of(String agentName, String message) {
    return new Opening(
        agentName, message, null, Map.of(), Inputs.NONE, null, Ceilings.OfSession.NONE, "-");
  }
}
