package agentsessions.session;

import agentsessions.session.id.TurnId;
import agentsessions.session.input.InputFile;
import agentsessions.session.repository.Checkout;
import agentsessions.session.usage.Ceilings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message that a client sends to an existing session.
///
/// @param expected the message is accepted only while this is the current turn; null: always
/// @param model the model from this turn on; null: unchanged
/// @param credentials new credentials from this turn on, by the number of the repository
/// @param limits the ceilings of this turn only
/// @param keyId the API key it was sent with
public record FollowUp(
    String message,
    @Nullable TurnId expected,
    @Nullable String model,
    List<InputFile> files,
    Map<Integer, Checkout.Credential> credentials,
    Ceilings limits,
    String keyId) {

  /// A bare message; `-` stands in for the key.
  public static FollowUp of(String message) {
    return new FollowUp(message, null, null, List.of(), Map.of(), Ceilings.NONE, "-");
  }
}
