package agentsessions.session;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one change of a session is to webhooks: its events, in order. Nothing has an id yet.
///
/// @param own whether the session has a webhook of its own
public record News(SessionKey session, boolean own, List<Item> items) {

  /// One event to be.
  public record Item(
      WebhookType type,
      @Nullable TurnId turn,
      @Nullable String status,
      @Nullable ArtifactId artifact,
      Stamp seq) {}

  public static News of(SessionKey session, boolean own) {
    return new News(session, own, List.of());
  }

  /// A session has begun.
  public News created(Stamp seq) {
    return with(new Item(WebhookType.SESSION_CREATED, null, "working", null, seq));
  }

  public News deleted(Stamp seq) {
    return with(new Item(WebhookType.SESSION_DELETED, null, null, null, seq));
  }

  /// A turn has come to this status.
  public News turn(TurnId turn, TurnStatus status, Stamp seq) {
    return WebhookType.of(status)
        .map(type -> with(new Item(type, turn, status.word(), null, seq)))
        .orElse(this);
  }

  /// The plans that an ending records, in order, each with a stamp of its own just before `before`.
  public News plans(List<Artifact> recorded, Stamp before) {
    List<Artifact> plans = recorded.stream().filter(one -> one.planId() != null).toList();
    News news = this;
    for (int i = 0; i < plans.size(); i++) {
      Stamp seq = before.plusMicros(i - plans.size());
      Artifact plan = plans.get(i);
      news = news.with(new Item(WebhookType.PLAN_CREATED, plan.turn().id(), null, plan.id(), seq));
    }
    return news;
  }

  /// When it is said to have happened.
  public static Instant at(Item item) {
    return item.seq().instant();
  }

  private News with(Item item) {
    List<Item> more = new ArrayList<>(items);
    more.add(item);
    return new News(session, own, List.copyOf(more));
  }
}
