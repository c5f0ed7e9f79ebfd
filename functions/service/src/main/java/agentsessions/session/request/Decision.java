package agentsessions.session.request;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The decision of a request.
///
/// @param note the decider's words, which the agent is told where it is denied
/// @param answers the values by question; none where nothing was asked, or nobody answers
/// @param keyId the API key that decided; null where a grant did, or there were too many requests
public record Decision(
    Word word,
    @Nullable String note,
    Map<String, List<String>> answers,
    @Nullable String keyId,
    Instant at) {

  /// What was decided.
  public enum Word {
    ALLOW,
    /// Allowed, and calls like it for the rest of the session.
    ALLOW_SESSION,
    DENY;

    /// Whether what is asked for may be done.
    public boolean isAllowing() {
      return this != DENY;
    }

    /// The word of the API.
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Whether another decision says the same.
  public boolean isSame(
      Word other, @Nullable String otherNote, Map<String, List<String>> otherAnswers) {
    return word == other && Objects.equals(note, otherNote) && answers.equals(otherAnswers);
  }
}
