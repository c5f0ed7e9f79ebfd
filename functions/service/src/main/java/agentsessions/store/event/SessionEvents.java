package agentsessions.store.event;

import agentsessions.session.Plans;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.event.EventPosition;
import agentsessions.session.event.SessionEvent;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.ToolPermissions;
import agentsessions.store.artifact.Artifacts;
import agentsessions.store.message.History;
import agentsessions.store.session.Sessions;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.item.PlansItem;
import agentsessions.table.item.TurnRow;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The events of a session, read from the rows that are there anyway. A reader that goes on from
/// the position where its last reading ended misses nothing and reads nothing twice: an event that
/// is only half visible is left to the next reading.
///
/// Why: decision 011.
@Singleton
public final class SessionEvents {
  /// The number of turns that are read together.
  private static final int TURNS = 10;

  private final Table table;
  private final History history;
  private final Artifacts artifacts;

  public SessionEvents(Table table, History history, Artifacts artifacts) {
    this.table = table;
    this.history = history;
    this.artifacts = artifacts;
  }

  /// A session and the turn that is watched in it: a given one, or the session's current one.
  ///
  /// @param since the turns from the expected one on that have begun, ten at most; none where they
  ///   were not read
  public record Seen(Session session, TurnRow row, List<TurnRow> since) {
    public Turn turn() {
      return row.turn();
    }
  }

  /// The same with the session's plans, all read at one moment, and with its permissions, which
  /// never change.
  public record Moment(Seen seen, Plans plans, Optional<ToolPermissions> permissions) {}

  /// The kinds of events that are wanted.
  public record Wanted(boolean messages, boolean artifacts, boolean ends) {}

  /// The events that were found, in order; `until` is the position from which to go on. `complete`:
  /// there is nothing more to read now, and nothing was half visible.
  public record Found(List<SessionEvent> events, Optional<EventPosition> until, boolean complete) {}

  /// Reads a session and the turn that is watched in it: one call where that is `expected`, two
  /// where the session has gone on by a few turns. Empty where there is no such session, or no such
  /// turn in it.
  ///
  /// @param only the turn to watch; empty: the current one
  public Optional<Seen> poll(SessionKey key, Optional<TurnId> only, Optional<TurnId> expected) {
    Optional<TurnId> turn = only.or(() -> expected);
    List<TurnRow> since = List.of();
    for (int tries = 0; ; tries++) {
      Map<Layout.Key, Item> items = table.items(keys(key, turn));
      Optional<Session> session = Sessions.visible(items.get(Layout.meta(key)));
      Optional<TurnId> watched = only.or(() -> session.map(Session::currentTurn));
      if (session.isEmpty() || watched.equals(turn)) {
        Optional<Seen> seen = seen(items, session, watched, since);
        if (session.isEmpty() || only.isPresent() || seen.isPresent()) {
          return seen;
        }
        Retries.pause("current turn", tries);
      } else if (since.isEmpty()) {
        since = from(session.get(), expected.map(TurnId::toString).orElse(Layout.LEAST));
        Optional<Seen> among = among(since, session.get());
        if (among.isPresent()) {
          return among;
        }
      }
      turn = watched;
    }
  }

  private static Optional<Seen> among(List<TurnRow> turns, Session session) {
    return turns.stream()
        .filter(row -> row.turn().id().equals(session.currentTurn()))
        .findFirst()
        .map(row -> new Seen(session, row, turns));
  }

  /// The same with the plans, consistent even while others write.
  public Optional<Moment> moment(SessionKey key, Optional<TurnId> only) {
    Optional<TurnId> turn = only.or(() -> current(key));
    for (int tries = 0; turn.isPresent(); tries++) {
      List<Layout.Key> keys = new ArrayList<>(keys(key, turn));
      keys.add(Layout.plans(key));
      Map<Layout.Key, Item> items = table.together(keys);
      Optional<Session> session = Sessions.visible(items.get(Layout.meta(key)));
      Optional<TurnId> watched = only.or(() -> session.map(Session::currentTurn));
      if (session.isEmpty() || watched.equals(turn)) {
        Plans plans = PlansItem.read(Optional.ofNullable(items.get(Layout.plans(key))));
        return seen(items, session, watched, List.of())
            .map(seen -> new Moment(seen, plans, Sessions.permissions(table, seen.session())));
      }
      Retries.pause("moment", tries);
      turn = watched;
    }
    return Optional.empty();
  }

  /// The position after everything that had happened when the turn was read.
  public static EventPosition after(Turn turn) {
    return turn.live()
        ? EventPosition.of(turn.id(), turn.lastStamp())
        : EventPosition.end(turn.id());
  }

  /// Whether there may be events to read after a position. A turn that waits has none yet.
  public static boolean isBehind(Optional<EventPosition> place, Seen seen) {
    return !seen.turn().waits() && (place.isEmpty() || place.get().isBefore(after(seen.turn())));
  }

  /// The events after a position; about `most` of them.
  ///
  /// @param alone only events of the turn that is watched
  public Found after(
      Seen seen, Optional<EventPosition> place, Wanted wanted, boolean alone, int most) {
    SessionEventReader reading =
        new SessionEventReader(table, history, artifacts, wanted, most, place);
    List<TurnRow> turns = turns(seen, place, alone);
    while (!turns.isEmpty() && reading.read(turns) && !alone) {
      turns = turns.size() < TURNS ? List.of() : from(seen.session(), reading.next());
    }
    return reading.found();
  }

  private List<TurnRow> turns(Seen seen, Optional<EventPosition> place, boolean alone) {
    TurnId watched = seen.turn().id();
    if (place.filter(from -> from.turn().equals(watched)).isPresent()) {
      return List.of(seen.row());
    }
    if (alone) {
      return place
              .filter(from -> from.turn().toString().compareTo(watched.toString()) > 0)
              .isEmpty()
          ? List.of(seen.row())
          : List.of();
    }
    return beginsAt(place, seen)
        ? seen.since()
        : from(seen.session(), place.map(from -> from.turn().toString()).orElse(Layout.LEAST));
  }

  private static boolean beginsAt(Optional<EventPosition> place, Seen seen) {
    return seen.since().stream()
        .findFirst()
        .map(TurnRow::turn)
        .filter(
            first -> place.map(from -> from.turn().equals(first.id())).orElse(first.number() == 1))
        .isPresent();
  }

  /// The turns from one on that have begun, ten at most; fewer only where there are no more. The
  /// end of one that never began is no event of its session: its id may lie ahead of those of later
  /// turns, which a reader who has passed it would miss.
  private List<TurnRow> from(Session session, String first) {
    List<TurnRow> begun = new ArrayList<>();
    String next = first;
    List<TurnRow> page;
    do {
      page = page(session, next);
      page.stream()
          .filter(TurnRow::begun)
          .limit(TURNS - begun.size())
          .map(row -> row.seenFrom(session))
          .forEach(begun::add);
      next = page.isEmpty() ? next : Layout.after(page.getLast().turn().id().toString());
    } while (page.size() == TURNS && begun.size() < TURNS && !page.getLast().turn().live());
    return List.copyOf(begun);
  }

  /// The next rows, in the order of their ids: none that has begun is behind a live one.
  private List<TurnRow> page(Session session, String first) {
    return table
        .range(
            Layout.partition(session.key()),
            Layout.TURNS + first,
            Layout.TURNS + Layout.GREATEST,
            true,
            TURNS)
        .stream()
        .map(TurnRow::of)
        .toList();
  }

  private Optional<TurnId> current(SessionKey key) {
    return Sessions.visible(table.item(Layout.meta(key)).orElse(null)).map(Session::currentTurn);
  }

  private static List<Layout.Key> keys(SessionKey key, Optional<TurnId> turn) {
    List<Layout.Key> keys = new ArrayList<>(List.of(Layout.meta(key)));
    turn.ifPresent(id -> keys.add(Layout.turn(key.turn(id))));
    return keys;
  }

  private static Optional<Seen> seen(
      Map<Layout.Key, Item> items,
      Optional<Session> session,
      Optional<TurnId> turn,
      List<TurnRow> since) {
    return session.flatMap(found ->
        turn.map(id -> items.get(Layout.turn(found.key().turn(id))))
            .map(item -> new Seen(found, TurnRow.of(item).seenFrom(found), since)));
  }
}
