package agentsessions.session;

import agentsessions.session.usage.Ceilings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A client's request for a new session, with its first message.
///
/// @param title null: the beginning of the message
/// @param keyId the API key it is sent with
public record Opening(
    String agentName,
    String message,
    @Nullable String title,
    Map<String, String> metadata,
    Inputs inputs,
    @Nullable OwnWebhook hook,
    Ceilings.OfSession limits,
    String keyId) {

  /// A bare message; `-` stands in for the key.
  public static Opening of(String agentName, String message) {
    return new Opening(
        agentName, message, null, Map.of(), Inputs.NONE, null, Ceilings.OfSession.NONE, "-");
  }
}
