package agentsessions.session;

import agentsessions.session.id.TurnId;
import agentsessions.session.input.InputFile;
import agentsessions.session.repository.Checkout;
import agentsessions.session.usage.Ceilings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a client sends to a session that is there.
///
/// @param expected accepted only while this is the current turn
/// @param model from this turn on; null: as before
/// @param credentials from this turn on, by the number of the repository
/// @param limits of this turn only
/// @param keyId of the key it was sent with
public record FollowUp(
    String message,
    @Nullable TurnId expected,
    @Nullable String model,
    List<InputFile> files,
    Map<Integer, Checkout.Credential> credentials,
    Ceilings limits,
    String keyId) {

  /// A message, and nothing else, not even a key that anybody has.
  public static FollowUp of(String message) {
    return new FollowUp(message, null, null, List.of(), Map.of(), Ceilings.NONE, "-");
  }
}
