package agentsessions.store.webhook;

import agentsessions.rule.Ceiling;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.EventId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.session.webhook.WebhookEvent;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.WebhookItem;
import com.github.f4b6a3.uuid.UuidCreator;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The outbox of webhook events: one item for each change, written in the transaction of that
/// change.
///
/// Why: decision 018.
@Singleton
public final class Outbox {
  /// One event of the change.
  private record Line(EventId id, PendingEvents.Item event) {}

  private static final ItemSchema<Line> LINE = new ItemSchema<>(Outbox::line);
  private static final Attribute<EventId> ID =
      LINE.part("id", AttributeFormat.ID.as(EventId::new, EventId::value), Line::id);
  private static final Attribute<WebhookEventType> TYPE =
      LINE.part("type", WebhookItem.TYPE, line -> line.event().type());
  private static final Attribute<TurnId> TURN =
      LINE.part("turn", AttributeFormat.TURN, line -> line.event().turn());
  private static final Attribute<String> STATUS =
      LINE.part("status", AttributeFormat.TEXT, line -> line.event().status());
  private static final Attribute<ArtifactId> ARTIFACT =
      LINE.part("artifact", AttributeFormat.ARTIFACT, line -> line.event().artifact());
  private static final Attribute<RequestId> REQUEST =
      LINE.part("request", AttributeFormat.REQUEST, line -> line.event().request());
  private static final Attribute<Stamp> SEQ =
      LINE.part("seq", AttributeFormat.STAMP, line -> line.event().seq());
  private static final Attribute<Ceiling.Scope> SCOPE =
      LINE.part("scope", AttributeFormat.name(Ceiling.Scope.class), of(Ceiling::scope));
  private static final Attribute<Ceiling.Unit> UNIT =
      LINE.part("unit", AttributeFormat.name(Ceiling.Unit.class), of(Ceiling::unit));
  private static final Attribute<Long> LIMIT =
      LINE.part("limit", AttributeFormat.NUMBER, of(Ceiling::limit));
  private static final Attribute<Long> USED =
      LINE.part("used", AttributeFormat.NUMBER, of(Ceiling::used));

  private static final Schema OUTBOX = new Schema();
  private static final Attribute<SessionId> SESSION =
      OUTBOX.attribute("session", AttributeFormat.SESSION);
  private static final Attribute<Boolean> OWN = OUTBOX.attribute("own", AttributeFormat.FLAG);
  private static final Attribute<List<Line>> EVENTS =
      OUTBOX.attribute("events", AttributeFormat.list(LINE.format()));

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
  public Posted post(PendingEvents events) {
    Instant now = clock.instant();
    List<Line> lines =
        events.items().stream()
            .map(item -> new Line(new EventId(UuidCreator.getTimeOrderedEpoch(now)), item))
            .toList();
    EventId id = lines.getFirst().id();
    Layout.Key key = Layout.outbox(events.workspace(), id);
    Change change =
        OUTBOX
            .change(key)
            .set(OWN, events.own())
            .set(EVENTS, lines)
            .due(Shards.outbox(key), now.plus(GRACE));
    Optional.ofNullable(events.session()).ifPresent(session -> change.set(SESSION, session));
    return new Posted(new Place(events.workspace(), id), change.put());
  }

  /// The events at a place; empty where deliveries were made of them already.
  public Optional<Letter> open(Place place) {
    return table.item(key(place)).map(item -> letter(place, item));
  }

  public void remove(Place place) {
    table.purge(List.of(key(place)));
  }

  /// The places that have waited for too long, of one partition of the index.
  public List<Place> due(String shard) {
    return table.due(shard, clock.millis(), MOST_DUE).stream()
        .map(Item::key)
        .map(key -> new Place(key.workspace(), key.event()))
        .toList();
  }

  private static Layout.Key key(Place place) {
    return Layout.outbox(place.workspace(), place.first());
  }

  private static Letter letter(Place place, Item item) {
    @Nullable SessionId session = item.find(SESSION);
    return new Letter(
        place.workspace(),
        session,
        item.flag(OWN),
        item.get(EVENTS).stream().map(line -> event(session, line)).toList());
  }

  private static WebhookEvent event(@Nullable SessionId session, Line line) {
    PendingEvents.Item event = line.event();
    return new WebhookEvent(
        line.id(),
        event.type(),
        event.seq().instant(),
        session == null
            ? null
            : new WebhookEvent.About(
                session,
                event.turn(),
                event.status(),
                event.artifact(),
                event.request(),
                event.seq()),
        event.budget());
  }

  private static Line line(Item item) {
    return new Line(
        item.get(ID),
        new PendingEvents.Item(
            item.get(TYPE),
            item.find(TURN),
            item.find(STATUS),
            item.find(ARTIFACT),
            item.get(SEQ),
            item.has(SCOPE) ? budget(item) : null,
            item.find(REQUEST)));
  }

  private static Ceiling budget(Item item) {
    return new Ceiling(item.get(SCOPE), item.get(UNIT), item.get(LIMIT), item.get(USED));
  }

  private static <V> Function<Line, @Nullable V> of(Function<Ceiling, V> budget) {
    return line -> line.event().budget() == null ? null : budget.apply(line.event().budget());
  }
}
