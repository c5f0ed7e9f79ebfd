package agentsessions.session.webhook;

import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A receiver for the events of a workspace or of one of its sessions.
///
/// @param ofSession whether it belongs to one session, whose id it then has
/// @param types the event types it receives; empty: all of the edition
/// @param edition of the list of types, when it was made
/// @param disabledReason why it was disabled, where the service did it
/// @param baseUrl the beginning of the links in its events
/// @param failing the failed attempts since the last good one; null where there are none
public record Webhook(
    Workspace workspace,
    WebhookId id,
    boolean ofSession,
    String url,
    List<WebhookEventType> types,
    int edition,
    @Nullable String description,
    boolean enabled,
    @Nullable String disabledReason,
    String baseUrl,
    Instant createdAt,
    @Nullable Instant lastSuccessAt,
    @Nullable Failing failing) {
  /// The time for which it may fail before it is disabled.
  public static final Duration GIVE_UP_AFTER = Duration.ofDays(3);

  /// Failed attempts in a row.
  public record Failing(Instant since, int times) {}

  public boolean subscribesTo(WebhookEventType type) {
    return enabled && (type == WebhookEventType.PING || receives(type));
  }

  private boolean receives(WebhookEventType type) {
    return allTypes().contains(type);
  }

  /// The event types that it receives: those that it names, or all of its edition.
  public List<WebhookEventType> allTypes() {
    return types.isEmpty() ? WebhookEventType.upTo(edition) : types;
  }

  /// The number of failed attempts in a row.
  public int failures() {
    return failing == null ? 0 : failing.times();
  }

  /// Whether one more failure now disables it.
  public boolean isGivenUp(Instant now) {
    return failing != null && failing.since().plus(GIVE_UP_AFTER).isBefore(now);
  }
}
