package agentsessions.session.webhook;

import agentsessions.session.id.EventId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.WebhookId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One event on its way to one webhook.
///
/// @param body what is sent, the same bytes at each attempt
/// @param tries how many attempts there were since it was last asked for
/// @param attempts the last of them
/// @param nextAttemptAt null where nothing is to come
public record Delivery(
    WebhookId webhook,
    EventId event,
    WebhookType type,
    @Nullable SessionId session,
    String body,
    Status status,
    int tries,
    List<Attempt> attempts,
    @Nullable Instant nextAttemptAt,
    Instant createdAt) {
  /// How long it is kept.
  public static final Duration KEPT = Duration.ofDays(30);

  /// How many attempts are remembered.
  public static final int REMEMBERED = 20;

  /// What has become of it.
  public enum Status {
    PENDING,
    SUCCEEDED,
    FAILED;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// One try.
  ///
  /// @param statusCode of the answer; null where there was none
  /// @param error one of `dns, address, connect, tls, timeout, redirect, status`; null: it was good
  public record Attempt(
      Instant at, @Nullable Integer statusCode, long milliseconds, @Nullable String error) {}

  /// Whether it is not to be seen any more, wherever it still lies.
  public boolean isOver(Instant now) {
    return createdAt.plus(KEPT).isBefore(now);
  }
}
