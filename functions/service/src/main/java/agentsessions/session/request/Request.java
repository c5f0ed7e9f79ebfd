package agentsessions.session.request;

import agentsessions.session.id.RequestId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.ToolPermissions;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A tool call that waits for a person's decision, or has been decided. Its turn is held while it
/// is pending, and a turn has at most one that is.
///
/// @param fingerprint the SHA-256 of kind, tool and canonical input, in hexadecimal
/// @param expiresAt when it expires if nobody has decided
/// @param decision null unless it is decided
public record Request(
    RequestId id,
    TurnKey turn,
    Status status,
    String title,
    Tool tool,
    String fingerprint,
    Stamp createdAt,
    Instant expiresAt,
    @Nullable Decision decision) {

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
    return new Request(id, turn, other, title, tool, fingerprint, createdAt, expiresAt, made);
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
