package agentsessions.session.webhook;

import agentsessions.session.TurnStatus;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The type of a webhook event. A webhook that names no types receives those of the edition of this
/// list that was current when it was made.
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
  REQUEST_CREATED("request.created"),
  REQUEST_DECIDED("request.decided"),
  REQUEST_EXPIRED("request.expired"),
  REQUEST_CLOSED("request.closed"),
  THREAD_REQUIRES_ACTION("thread.requires_action"),
  PING("ping");

  /// The present edition of this list.
  public static final int EDITION = 3;

  private static final Set<WebhookEventType> SECOND =
      EnumSet.of(REQUEST_CREATED, REQUEST_DECIDED, REQUEST_EXPIRED, THREAD_REQUIRES_ACTION);

  private static final Set<WebhookEventType> THIRD = EnumSet.of(REQUEST_CLOSED);

  private final String text;

  WebhookEventType(String text) {
    this.text = text;
  }

  /// As the API writes it.
  public String text() {
    return text;
  }

  /// The types that had come by an edition.
  static List<WebhookEventType> upTo(int edition) {
    return Arrays.stream(values())
        .filter(type -> edition >= 2 || !SECOND.contains(type))
        .filter(type -> edition >= 3 || !THIRD.contains(type))
        .toList();
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
