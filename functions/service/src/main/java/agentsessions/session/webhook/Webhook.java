package agentsessions.session.webhook;

import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a workspace, or one of its sessions, wants its events sent.
///
/// @param ofSession whether it is a session's own, whose id it then has
/// @param types those it hears of; none named: all, also those of a later version
/// @param disabledReason why it was disabled, where the service did it
/// @param baseUrl what links in its events begin with
/// @param failing what has become of the attempts since the last good one; null: there was no bad
///   one
public record Webhook(
    Workspace workspace,
    WebhookId id,
    boolean ofSession,
    String url,
    List<WebhookType> types,
    @Nullable String description,
    boolean enabled,
    @Nullable String disabledReason,
    String baseUrl,
    Instant createdAt,
    @Nullable Instant lastSuccessAt,
    @Nullable Failing failing) {
  /// How long it may fail before it is disabled.
  public static final Duration PATIENCE = Duration.ofDays(3);

  /// Attempts that failed, one after the other.
  public record Failing(Instant since, int times) {}

  public boolean hears(WebhookType type) {
    return enabled && (types.isEmpty() || type == WebhookType.PING || types.contains(type));
  }

  /// How often it has failed since it last did not.
  public int failures() {
    return failing == null ? 0 : failing.times();
  }

  /// Whether one more failure now is one too many.
  public boolean isGivenUp(Instant now) {
    return failing != null && failing.since().plus(PATIENCE).isBefore(now);
  }
}
