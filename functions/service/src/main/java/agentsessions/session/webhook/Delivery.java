package agentsessions.session.webhook;

import agentsessions.session.id.EventId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.WebhookId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The delivery of one event to one webhook.
///
/// @param body the body of the request, the same bytes at each attempt; empty: a `ping`, whose body
///   the sender makes of its time
/// @param tries the number of attempts since it was last asked for
/// @param attempts the last of them
/// @param nextAttemptAt null where no attempt is to come
public record Delivery(
    WebhookId webhook,
    EventId event,
    WebhookEventType type,
    @Nullable SessionId session,
    String body,
    Status status,
    int tries,
    List<Attempt> attempts,
    @Nullable Instant nextAttemptAt,
    Instant createdAt) {
  /// The time for which it is kept.
  public static final Duration KEPT = Duration.ofDays(30);

  /// The number of attempts that it remembers.
  public static final int REMEMBERED = 20;

  /// The status of a delivery.
  public enum Status {
    PENDING,
    SUCCEEDED,
    FAILED;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// One attempt.
  ///
  /// @param statusCode of the answer; null where there was none
  /// @param error one of `dns, address, connect, tls, timeout, redirect, status`; null: it was good
  public record Attempt(
      Instant at, @Nullable Integer statusCode, long milliseconds, @Nullable String error) {}

  /// Whether it has expired: then it is not shown, even while its item still exists.
  public boolean isOver(Instant now) {
    return createdAt.plus(KEPT).isBefore(now);
  }
}
