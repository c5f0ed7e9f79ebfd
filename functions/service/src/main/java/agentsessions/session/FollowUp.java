package agentsessions.session;

import agentsessions.session.id.TurnId;
import agentsessions.session.input.BroughtFile;
import agentsessions.session.input.InputFile;
import agentsessions.session.repository.Checkout;
import agentsessions.session.usage.Ceilings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message that a client sends to an existing session.
///
/// @param expected the message is accepted only while this is the newest turn; null: always
/// @param onRunning the treatment of a turn that runs
/// @param model the model from this turn on; null: unchanged
/// @param credentials new credentials from this turn on, by the number of the repository
/// @param limits the ceilings of this turn only
/// @param keyId the API key it was sent with
public record FollowUp(
    String message,
    @Nullable TurnId expected,
    OnRunning onRunning,
    @Nullable String model,
    List<InputFile> files,
    Map<Integer, Checkout.Credential> credentials,
    Ceilings limits,
    String keyId) {

  /// The message as it is accepted.
  public Message accepted(Receipt receipt) {
    return Message.ofUser(receipt, message, BroughtFile.of(files));
  }

  /// The same message with the same files elsewhere.
  public FollowUp with(List<InputFile> moved) {
    return new FollowUp(message, expected, onRunning, model, moved, credentials, limits, keyId);
  }

  /// A bare message; `-` stands in for the key.
  public static FollowUp of(String message) {
    return of(message, OnRunning.INTERRUPT);
  }

  /// The same for one that may wait.
  public static FollowUp of(String message, OnRunning onRunning) {
    return new FollowUp(message, null, onRunning, null, List.of(), Map.of(), Ceilings.NONE, "-");
  }
}
