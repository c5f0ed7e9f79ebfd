package agentsessions.session.request;

import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The decision of a request.
///
/// @param note the decider's words, which the agent is told where it is denied
/// @param keyId the API key that decided; null where a grant did, or there were too many requests
public record Decision(Word word, @Nullable String note, @Nullable String keyId, Instant at) {

  /// What was decided.
  public enum Word {
    ALLOW,
    /// Allowed, and calls like it for the rest of the session.
    ALLOW_SESSION,
    DENY;

    /// The word of the API.
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Whether another decision says the same.
  public boolean isSame(Word other, @Nullable String otherNote) {
    return word == other && Objects.equals(note, otherNote);
  }
}
