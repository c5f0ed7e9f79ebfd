package agentsessions.session.webhook;

import agentsessions.session.TurnStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The type of a webhook event.
public enum WebhookEventType {
  SESSION_CREATED("session.created"),
  SESSION_DELETED("session.deleted"),
  THREAD_RUNNING("thread.running"),
  THREAD_COMPLETED("thread.completed"),
  THREAD_FAILED("thread.failed"),
  THREAD_INTERRUPTED("thread.interrupted"),
  THREAD_CANCELLED("thread.cancelled"),
  THREAD_TIMED_OUT("thread.timed_out"),
  PLAN_CREATED("plan.created"),
  BUDGET_WARNING("budget.warning"),
  PING("ping");

  private final String text;

  WebhookEventType(String text) {
    this.text = text;
  }

  /// As the API writes it.
  public String text() {
    return text;
  }

  public static Optional<WebhookEventType> of(String text) {
    return Arrays.stream(values()).filter(type -> type.text.equals(text)).findFirst();
  }

  public static List<String> texts() {
    return Arrays.stream(values()).map(WebhookEventType::text).toList();
  }

  /// The type for a turn that has reached this status; empty for one that is queued.
  static Optional<WebhookEventType> of(TurnStatus status) {
    return of("thread." + status.word());
  }
}
