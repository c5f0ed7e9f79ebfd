package agentsessions.store.session;

import agentsessions.session.Plans;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnKey;
import agentsessions.table.Attribute;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Pages;
import agentsessions.table.Table;
import agentsessions.table.item.PlansItem;
import agentsessions.table.item.TurnItem;
import agentsessions.table.item.TurnRow;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The turns: their reads. The room `turn` changes them.
@Singleton
public final class Turns {
  /// The number of a session's first turns that its deletion marks. All of them fit into its
  /// transaction.
  public static final int MARKED = 10;

  private final Table table;
  private final Clock clock;

  public Turns(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /// An item that the sweep found due: a turn to look at, a sandbox whose runner has let its lease
  /// run out, a task to stop, or a request that nobody has decided on in time.
  public sealed interface Due {
    record OfTurn(TurnKey turn) implements Due {}

    record OfSandbox(SessionKey sessionKey) implements Due {}

    record OfTask(Layout.Key stop) implements Due {}

    record OfRequest(SessionKey sessionKey, RequestId request) implements Due {}
  }

  /// A turn about to end, with its session's plans, the token of the task that waits for it, if one
  /// does, and the lock of its sandbox, if it is to be released with the result.
  public record Reporting(Turn turn, Plans plans, Optional<String> task, Optional<Item> lock) {}

  public Optional<Turn> load(TurnKey key) {
    return table.item(Layout.turn(key)).map(TurnItem::read);
  }

  /// A turn with the lock of its session's sandbox, if there is one.
  public record Locked(Turn turn, Optional<Item> lock) {}

  /// A turn and the lock, by one read.
  public Optional<Locked> locked(TurnKey key) {
    Layout.Key lock = Layout.sandboxLock(key.sessionKey());
    Map<Layout.Key, Item> items = table.items(List.of(Layout.turn(key), lock));
    return Optional.ofNullable(items.get(Layout.turn(key)))
        .map(turn -> new Locked(TurnItem.read(turn), Optional.ofNullable(items.get(lock))));
  }

  /// A turn of a session that was not deleted. One read tells, since a deletion ends the live turn
  /// and marks the first ones; the session is read as well of a later turn that has ended, and of
  /// one on whose plan or pushes a person may have to decide.
  ///
  /// Why: decision 029.
  public Optional<TurnRow> find(TurnKey key) {
    return table
        .item(Layout.turn(key))
        .filter(item -> !item.flag(TurnItem.DELETED))
        .map(TurnRow::of)
        .flatMap(row ->
            isMarked(row.turn())
                ? Optional.of(row)
                : session(key.sessionKey()).map(session -> row.seenFrom(session)));
  }

  /// Whether the deletion of its session would show in the turn, and nothing else of the session is
  /// needed: the place of one that waits is, and whether a person has yet to decide.
  private static boolean isMarked(Turn turn) {
    boolean shows = turn.live() || turn.number() <= MARKED;
    return turn.number() > 0 && shows && !turn.mayBeUndecided();
  }

  /// The turns that a deletion marks. Between them there may be some that never began.
  public List<Turn> first(SessionKey key) {
    List<Turn> first = new ArrayList<>();
    for (Turn turn : all(key, MARKED)) {
      if (turn.number() > 0) {
        first.add(turn);
      }
      if (first.size() == MARKED) {
        break;
      }
    }
    return List.copyOf(first);
  }

  private Optional<Session> session(SessionKey key) {
    return Sessions.visible(table.item(Layout.meta(key)).orElse(null));
  }

  /// The turns of a session in order of time, from `first` to `last`; at most `limit`.
  public List<Turn> list(SessionKey key, String first, String last, boolean ascending, int limit) {
    return table
        .range(Layout.partition(key), Layout.TURNS + first, Layout.TURNS + last, ascending, limit)
        .stream()
        .map(TurnItem::read)
        .toList();
  }

  /// All turns of a session in order of time, read as they are iterated, `atOnce` together.
  public Iterable<Turn> all(SessionKey key, int atOnce) {
    return Pages.of(
        Layout.LEAST,
        atOnce,
        from -> list(key, from, Layout.GREATEST, true, atOnce),
        turn -> turn.id().toString());
  }

  /// The turn that a token with this hash was given out for.
  public Optional<Turn> byToken(TurnKey key, String hash) {
    return byHash(table.item(Layout.turn(key)), TurnItem.TOKEN_HASH, hash);
  }

  /// The turn that a ticket with this hash was given out for.
  public Optional<Turn> byTicket(TurnKey key, String hash) {
    return byHash(table.item(Layout.turn(key)), TurnItem.TICKET_HASH, hash);
  }

  /// The turn that a token with this hash was given out for, with the rest that its ending needs,
  /// by one read: the token of the task that waits for it, and where they are wanted the plans that
  /// its session has and the lock of its sandbox. Only an ending changes the plans, and only one
  /// turn can be ending.
  public Optional<Reporting> reporting(TurnKey key, String hash, boolean plans, boolean lock) {
    Layout.Key register = Layout.plans(key.sessionKey());
    Layout.Key task = Layout.task(key);
    Layout.Key sandboxLock = Layout.sandboxLock(key.sessionKey());
    List<Layout.Key> keys = new ArrayList<>(List.of(Layout.turn(key), task));
    if (plans) {
      keys.add(register);
    }
    if (lock) {
      keys.add(sandboxLock);
    }
    Map<Layout.Key, Item> items = table.items(keys);
    return byHash(Optional.ofNullable(items.get(Layout.turn(key))), TurnItem.TOKEN_HASH, hash)
        .map(turn ->
            new Reporting(
                turn,
                PlansItem.read(Optional.ofNullable(items.get(register))),
                TaskCallbacks.token(Optional.ofNullable(items.get(task))),
                Optional.ofNullable(items.get(sandboxLock))));
  }

  /// The turn that a credential was given out for, where `hash` equals the one its item has under
  /// `attribute`.
  public static Optional<Turn> byHash(
      Optional<Item> turn, Attribute<String> attribute, String hash) {
    return turn.filter(item -> same(item.get(attribute, ""), hash)).map(TurnItem::read);
  }

  /// The due items of one partition of the index for live turns.
  public List<Due> due(String shard, int limit) {
    return due(shard, clock.instant(), limit);
  }

  /// The same, with what will be due by then.
  public List<Due> due(String shard, Instant then, int limit) {
    return table.due(shard, then.toEpochMilli(), limit).stream().map(Turns::due).toList();
  }

  /// The deleted sessions that are due, of one partition of the index for removals.
  public List<SessionKey> deleted(String shard, int limit) {
    return table.due(shard, clock.millis(), limit).stream()
        .map(item -> item.key().sessionKey())
        .toList();
  }

  private static Due due(Item item) {
    Layout.Key key = item.key();
    return switch (key.sk()) {
      case Layout.SANDBOX_LOCK -> new Due.OfSandbox(key.sessionKey());
      case String sk when sk.startsWith(Layout.STOPS) -> new Due.OfTask(key);
      case String sk when sk.startsWith(Layout.REQUESTS) ->
          new Due.OfRequest(key.sessionKey(), key.request());
      default -> new Due.OfTurn(key.turn());
    };
  }

  private static boolean same(String kept, String given) {
    return MessageDigest.isEqual(
        kept.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.US_ASCII));
  }
}
