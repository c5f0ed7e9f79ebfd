package agentsessions.session.request;

import agentsessions.rule.Question;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.ToolPermissions;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A tool call that waits for a person's decision, or has been decided. Its turn is held while it
/// is pending, and a turn has at most one that is.
///
/// @param questions those that the call asks; none where it needs permission
/// @param fingerprint the SHA-256 of kind, tool and canonical input, in hexadecimal
/// @param expiresAt when it expires if nobody has decided
/// @param decision null unless it is decided
public record Request(
    RequestId id,
    TurnKey turn,
    Status status,
    String title,
    Tool tool,
    List<Question> questions,
    String fingerprint,
    Stamp createdAt,
    Instant expiresAt,
    @Nullable Decision decision) {

  /// The subject of a request.
  public enum Kind {
    PERMISSION,
    QUESTION;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Kind kind() {
    return questions.isEmpty() ? Kind.PERMISSION : Kind.QUESTION;
  }

  /// Why these answers do not fit a decision of it; empty if they do. A denial has none: it says
  /// that nobody answers.
  public Optional<String> fault(Decision.Word word, Map<String, List<String>> answers) {
    List<String> asked = questions.stream().map(Question::id).toList();
    if (word == Decision.Word.DENY || asked.isEmpty()) {
      return answers.isEmpty()
          ? Optional.empty()
          : Optional.of(
              asked.isEmpty() ? "must be empty: nothing was asked" : "must be empty in a denial");
    }
    if (!asked.containsAll(answers.keySet())) {
      return Optional.of("must have the ids of questions only: " + String.join(", ", asked));
    }
    return questions.stream()
        .flatMap(question ->
            question.fault(answers.getOrDefault(question.id(), List.of())).stream()
                .map(fault -> "of question %s %s".formatted(question.id(), fault)))
        .findFirst();
  }

  /// The status of a request; all but the first are final.
  public enum Status {
    PENDING,
    DECIDED,
    /// Nobody decided in time.
    EXPIRED,
    /// Its turn ended first.
    CLOSED;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The tool that is to be called.
  ///
  /// @param input as JSON, with secrets masked
  public record Tool(String name, ToolPermissions.Kind kind, String input) {}

  /// The same with its decision.
  public Request decided(Decision made) {
    return as(Status.DECIDED, made);
  }

  /// The same when nobody has decided in time.
  public Request expired() {
    return as(Status.EXPIRED, null);
  }

  private Request as(Status other, @Nullable Decision made) {
    return new Request(
        id, turn, other, title, tool, questions, fingerprint, createdAt, expiresAt, made);
  }

  /// Whether nobody can decide it any more, and nobody has.
  public boolean isOver(Instant now) {
    return switch (status) {
      case PENDING -> !now.isBefore(expiresAt);
      case DECIDED -> false;
      case EXPIRED, CLOSED -> true;
    };
  }

  /// The grant that its decision made: calls like this one are allowed for the rest of the session.
  public Optional<SessionGrant> grant() {
    return Optional.ofNullable(decision)
        .filter(made -> made.word() == Decision.Word.ALLOW_SESSION && made.keyId() != null)
        .map(made ->
            new SessionGrant(
                turn.sessionKey(),
                fingerprint,
                title,
                tool.name(),
                tool.kind(),
                made.at(),
                Objects.requireNonNull(made.keyId())));
  }
}
