package agentsessions.session.request;

import agentsessions.rule.Question;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.repository.PushJob;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A tool call, a plan or pushes that wait for a person's decision, or have been decided. While a
/// call is pending, its turn is held, and a turn has at most one that is. A plan or pushes wait
/// after the end of their turn, until another turn of its session begins.
///
/// @param tool null where it is for no call
/// @param questions those that the call asks; none where it needs permission
/// @param plan the artifact that is to be decided on; null where it is for none
/// @param pushes those that are to be decided on together; none where it is for something else
/// @param fingerprint the SHA-256 of kind, tool and canonical input, of the plan, or of the pushes,
///   in hexadecimal
/// @param expiresAt when it expires if nobody has decided
/// @param decision null unless it is decided
public record Request(
    RequestId id,
    TurnKey turn,
    Status status,
    String title,
    @Nullable Tool tool,
    List<Question> questions,
    @Nullable ArtifactId plan,
    List<RequestedPush> pushes,
    String fingerprint,
    Stamp createdAt,
    Instant expiresAt,
    @Nullable Decision decision) {

  /// The subject of a request.
  public enum Kind {
    PERMISSION,
    QUESTION,
    PLAN,
    PUSH;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// Whether it is made by the end of its turn, and waits after it.
    public boolean isClosing() {
      return this == PLAN || this == PUSH;
    }
  }

  /// A pending request for pushes.
  ///
  /// @param turn after which they wait
  public static Request of(
      RequestId id, TurnKey turn, List<RequestedPush> pushes, Instant now, Instant expiresAt) {
    return new Request(
        id,
        turn,
        Status.PENDING,
        RequestedPush.title(pushes),
        null,
        List.of(),
        null,
        pushes,
        RequestedPush.fingerprint(pushes),
        Stamp.of(now),
        expiresAt,
        null);
  }

  public Kind kind() {
    if (plan != null) {
      return Kind.PLAN;
    }
    if (!pushes.isEmpty()) {
      return Kind.PUSH;
    }
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
        id,
        turn,
        other,
        title,
        tool,
        questions,
        plan,
        pushes,
        fingerprint,
        createdAt,
        expiresAt,
        made);
  }

  /// The input of its tool; empty where it is for none.
  public String input() {
    return tool == null ? "" : tool.input();
  }

  /// Whether nobody can decide it any more, and nobody has. One whose time is over stays pending
  /// until that is written.
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
        .flatMap(made -> Optional.ofNullable(tool).map(called -> grant(called, made)));
  }

  /// The grants that its decision made for pushes: later ones of the session to the same branches
  /// are allowed. Pushes to one branch, from two folders, have one.
  public List<SessionGrant> pushGrants() {
    return Optional.ofNullable(decision)
        .filter(made -> made.word() == Decision.Word.ALLOW_SESSION)
        .map(made ->
            pushes.stream()
                .map(push -> push.grant(turn.sessionKey(), made))
                .collect(
                    Collectors.toMap(
                        SessionGrant::fingerprint,
                        grant -> grant,
                        (first, _) -> first,
                        LinkedHashMap::new)))
        .map(grants -> List.copyOf(grants.values()))
        .orElse(List.of());
  }

  /// Whether each of its pushes names the tree that is pushed.
  public boolean saysWhatIsPushed() {
    return pushes.stream().allMatch(push -> push.tree() != null);
  }

  /// The pushes as a job that a person has allowed.
  ///
  /// @param subject of a commit that is made for them
  public PushJob job(String subject) {
    return new PushJob(pushes.stream().map(RequestedPush::target).toList(), subject, true);
  }

  private SessionGrant grant(Tool called, Decision made) {
    return new SessionGrant(
        turn.sessionKey(),
        fingerprint,
        title,
        called.name(),
        called.kind(),
        made.at(),
        Objects.requireNonNull(made.keyId()));
  }
}
