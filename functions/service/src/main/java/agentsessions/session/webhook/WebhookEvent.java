package agentsessions.session.webhook;

import agentsessions.rule.Ceiling;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.EventId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An event as webhooks receive it: ids and states, never texts.
///
/// @param about the part of a session that it is about; null for `ping` and for events of a
///   workspace
/// @param budget the ceiling that it warns of
public record WebhookEvent(
    EventId id,
    WebhookEventType type,
    Instant at,
    @Nullable About about,
    @Nullable Ceiling budget) {
  public static WebhookEvent ping(EventId id, Instant at) {
    return new WebhookEvent(id, WebhookEventType.PING, at, null, null);
  }

  /// The part of a session that an event is about.
  ///
  /// @param turn null where it is about the session as a whole
  /// @param status of the turn, or of the session
  /// @param artifact a new iteration of a plan
  /// @param request the request for a decision
  /// @param seq the stamp of the change
  public record About(
      SessionId session,
      @Nullable TurnId turn,
      @Nullable String status,
      @Nullable ArtifactId artifact,
      @Nullable RequestId request,
      Stamp seq) {
    /// The status of the turn, where the turn has closed with a message.
    public Optional<String> outcome() {
      return Optional.ofNullable(turn).isEmpty() || artifact != null
          ? Optional.empty()
          : Optional.ofNullable(status).filter(About::isOutcome);
    }

    private static boolean isOutcome(String status) {
      for (TurnStatus each : TurnStatus.values()) {
        if (each.spoke() && each.word().equals(status)) {
          return true;
        }
      }
      return false;
    }
  }
}
