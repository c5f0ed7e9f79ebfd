package agentsessions.chat.conversation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A decision on a request, as a user types it: `a`, `s`, or `d` with a note for the agent; or the
/// answers to its questions.
///
/// @param decision a word of the API
/// @param answers the values for each question, by its id
record Answer(String decision, @Nullable String note, Map<String, List<String>> answers) {
  private static final String ALLOW = "allow";
  private static final String DENY = "deny";

  Answer(String decision, @Nullable String note) {
    this(decision, note, Map.of());
  }

  /// The decision that a line states; empty if it is none. Only a denial has more than its letter
  /// or word, so that no message is taken for consent.
  static Optional<Answer> of(String line) {
    String[] words = line.strip().split("\\s+", 2);
    @Nullable String rest = words.length > 1 ? words[1] : null;
    return switch (words[0].toLowerCase(Locale.ROOT)) {
      case "a", ALLOW, "approve" -> allowed(ALLOW, rest);
      case "s", "session" -> allowed("allow_session", rest);
      case "d", DENY -> Optional.of(new Answer(DENY, rest));
      default -> Optional.empty();
    };
  }

  /// The decision on a plan that a line states: one is approved once, and never for a session.
  static Optional<Answer> ofPlan(String line) {
    return of(line).filter(answer -> !answer.decision.equals("allow_session"));
  }

  /// The answers to all questions of a request.
  static Answer of(Map<String, List<String>> answers) {
    return new Answer(ALLOW, null, answers);
  }

  private static Optional<Answer> allowed(String decision, @Nullable String rest) {
    return rest == null ? Optional.of(new Answer(decision, null)) : Optional.empty();
  }

  boolean isDenial() {
    return decision.equals(DENY);
  }

  /// The decision for people.
  ///
  /// @param isPlan whether it is about a plan
  String said(boolean isPlan) {
    if (!answers.isEmpty()) {
      return answers.values().stream()
          .map(values -> String.join(", ", values))
          .collect(Collectors.joining("; ", "Answered: ", ""));
    }
    return switch (decision) {
      case ALLOW -> isPlan ? "Approved." : "Allowed once.";
      case DENY -> isPlan && note != null ? "Sent back." : "Denied.";
      default -> "Allowed for this session.";
    };
  }
}
