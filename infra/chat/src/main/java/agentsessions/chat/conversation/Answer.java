package agentsessions.chat.conversation;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A decision on a request, as a user types it: `a`, `s`, or `d` with a note for the agent.
///
/// @param decision a word of the API
record Answer(String decision, @Nullable String note) {
  /// The decision that a line states; empty if it is none. Only a denial has more than its letter
  /// or word, so that no message is taken for consent.
  static Optional<Answer> of(String line) {
    String[] words = line.strip().split("\\s+", 2);
    @Nullable String rest = words.length > 1 ? words[1] : null;
    return switch (words[0].toLowerCase(Locale.ROOT)) {
      case "a", "allow" -> allowed("allow", rest);
      case "s", "session" -> allowed("allow_session", rest);
      case "d", "deny" -> Optional.of(new Answer("deny", rest));
      default -> Optional.empty();
    };
  }

  private static Optional<Answer> allowed(String decision, @Nullable String rest) {
    return rest == null ? Optional.of(new Answer(decision, null)) : Optional.empty();
  }

  /// The decision for people.
  String said() {
    return switch (decision) {
      case "allow" -> "Allowed once.";
      case "allow_session" -> "Allowed for this session.";
      default -> "Denied.";
    };
  }
}
