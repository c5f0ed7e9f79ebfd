package agentsessions.session;

import agentsessions.session.input.BroughtFile;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.usage.Ceilings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A client's request for a new session, with its first message.
///
/// @param title null: the beginning of the message
/// @param permissions null: everything is allowed
/// @param keyId the API key it is sent with
public record NewSession(
    String agentName,
    String message,
    @Nullable String title,
    Map<String, String> metadata,
    SessionInputs inputs,
    @Nullable SessionWebhook hook,
    Ceilings.OfSession limits,
    @Nullable ToolPermissions permissions,
    String keyId) {

  /// Its first message as it is accepted.
  public Message accepted(Receipt receipt) {
    return Message.ofUser(receipt, message, BroughtFile.of(inputs.files()));
  }

  /// A bare message; `-` stands in for the key.
  public static NewSession of(String agentName, String message) {
    return new NewSession(
        agentName,
        message,
        null,
        Map.of(),
        SessionInputs.NONE,
        null,
        Ceilings.OfSession.NONE,
        null,
        "-");
  }
}
