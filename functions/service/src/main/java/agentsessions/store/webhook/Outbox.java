package agentsessions.store.webhook;

import agentsessions.rule.Ceiling;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.EventId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.session.webhook.WebhookEvent;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.table.Attributes;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.Write;
import com.github.f4b6a3.uuid.UuidCreator;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The outbox of webhook events: one item for each change, written in the transaction of that
/// change.
///
/// Why: decision 018.
@Singleton
public final class Outbox {
  private static final String SESSION = "session";
  private static final String OWN = "own";
  private static final String EVENTS = "events";

  /// The time for which the sweep leaves an item to the sender that was started for it.
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final int MOST_DUE = 250;

  private final Table table;
  private final Clock clock;

  public Outbox(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /// A write into the outbox, and the place of its item.
  public record Posted(Place place, Write write) {}

  /// The place of the events of one change, named by the first of them.
  public record Place(Workspace workspace, EventId first) {}

  /// The events of one change.
  ///
  /// @param session the session they belong to; null where they are the workspace's
  /// @param own whether the session has a webhook of its own
  public record Letter(
      Workspace workspace, @Nullable SessionId session, boolean own, List<WebhookEvent> events) {}

  /// The item for these events, to be written with their change.
  public Posted post(PendingEvents news) {
    Instant now = clock.instant();
    List<Map<String, AttributeValue>> events =
        news.items().stream().map(item -> event(item, now).value().m()).toList();
    AttributeValue first = events.getFirst().get("id");
    EventId id = EventId.parse(first == null ? "" : first.s()).orElseThrow();
    Layout.Key key = Layout.outbox(news.workspace(), id);
    Change change =
        Change.of(key)
            .set(OWN, news.own())
            .set(EVENTS, AttributeValue.fromL(events.stream().map(AttributeValue::fromM).toList()))
            .set("LIVE", Shards.outbox(key))
            .set("due_at", now.plus(GRACE));
    Optional.ofNullable(news.session())
        .ifPresent(session -> change.set(SESSION, session.toString()));
    return new Posted(new Place(news.workspace(), id), change.put());
  }

  /// The events at a place; empty where deliveries were made of them already.
  public Optional<Letter> open(Place place) {
    return table.item(key(place)).map(item -> letter(place.workspace(), item));
  }

  public void remove(Place place) {
    table.purge(List.of(key(place)));
  }

  /// The places that have waited for too long, of one partition of the index.
  public List<Place> due(String shard) {
    return table.due(shard, clock.millis(), MOST_DUE).stream()
        .map(item -> Table.key(item.attributes()))
        .map(key -> new Place(key.workspace(), key.event()))
        .toList();
  }

  private static Layout.Key key(Place place) {
    return Layout.outbox(place.workspace(), place.first());
  }

  private static Attributes event(PendingEvents.Item item, Instant now) {
    Attributes attributes = new Attributes();
    @Nullable Ceiling budget = item.budget();
    if (budget != null) {
      Attributes _ =
          attributes
              .text("scope", budget.scope().name())
              .text("unit", budget.unit().name())
              .number("limit", budget.limit())
              .number("used", budget.used());
    }
    return attributes
        .text("id", UuidCreator.getTimeOrderedEpoch(now).toString())
        .text("type", item.type().text())
        .text("turn", text(item.turn()))
        .text("status", item.status())
        .text("artifact", text(item.artifact()))
        .number("seq", item.seq().micros());
  }

  private static @Nullable String text(@Nullable Object id) {
    return id == null ? null : id.toString();
  }

  private static Letter letter(Workspace workspace, Item item) {
    @Nullable SessionId session = SessionId.parse(item.text(SESSION, "")).orElse(null);
    return new Letter(
        workspace,
        session,
        item.flag(OWN),
        item.value(EVENTS).l().stream().map(each -> event(session, new Item(each.m()))).toList());
  }

  private static WebhookEvent event(@Nullable SessionId session, Item item) {
    Stamp seq = new Stamp(item.number("seq"));
    return new WebhookEvent(
        EventId.parse(item.requiredText("id")).orElseThrow(),
        WebhookEventType.of(item.requiredText("type")).orElseThrow(),
        seq.instant(),
        session == null
            ? null
            : new WebhookEvent.About(
                session,
                TurnId.parse(item.text("turn", "")).orElse(null),
                item.nullableText("status"),
                ArtifactId.parse(item.text("artifact", "")).orElse(null),
                seq),
        item.has("scope") ? budget(item) : null);
  }

  private static Ceiling budget(Item item) {
    return new Ceiling(
        Ceiling.Scope.valueOf(item.requiredText("scope")),
        Ceiling.Unit.valueOf(item.requiredText("unit")),
        item.number("limit"),
        item.number("used"));
  }
}
