package agentsessions.aws;

import agentsessions.session.SessionKey;
import agentsessions.session.Turn;
import agentsessions.session.TurnKey;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Turns as they are read; `Dispatches`, `Claims`, `Events` and `Endings` change them.
@Singleton
public final class Turns {
  private final Table table;
  private final Clock clock;

  Turns(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /// What the sweep found due: a turn to look at, a sandbox whose runner has let its lease run out,
  /// or a deleted session to remove.
  public sealed interface Due {
    record OfTurn(TurnKey turn) implements Due {}

    record OfSession(SessionKey session) implements Due {}

    record OfSandbox(SessionKey session) implements Due {}
  }

  public Optional<Turn> load(TurnKey key) {
    return table.item(Layout.turn(key)).map(TurnItem::read);
  }

  /// A turn of a session that was not deleted, by one read.
  public Optional<TurnRow> find(TurnKey key) {
    Layout.Key meta = Layout.meta(key.session());
    Layout.Key turn = Layout.turn(key);
    Map<Layout.Key, Item> items = table.items(List.of(meta, turn));
    return Sessions.visible(items.get(meta)).map(_ -> items.get(turn)).map(TurnRow::of);
  }

  /// The turns of a session in order of time, from `first` to `last`; at most `limit`.
  public List<Turn> list(
      SessionKey session, String first, String last, boolean ascending, int limit) {
    return table
        .range(
            Layout.partition(session), Layout.TURNS + first, Layout.TURNS + last, ascending, limit)
        .stream()
        .map(TurnItem::read)
        .toList();
  }

  /// All turns of a session in order of time, as they are gone through; so many are read together.
  public Iterable<Turn> all(SessionKey session, int atOnce) {
    return Pages.of(
        Layout.LEAST,
        atOnce,
        from -> list(session, from, Layout.GREATEST, true, atOnce),
        turn -> turn.id().toString());
  }

  /// The turn that a token or ticket was given out for, where `hash` is what is kept of it under
  /// `attribute`.
  public Optional<Turn> byHash(TurnKey key, String attribute, String hash) {
    return table
        .item(Layout.turn(key))
        .filter(item -> same(item.text(attribute, ""), hash))
        .map(TurnItem::read);
  }

  /// What is due in one of the index's partitions.
  public List<Due> due(String shard, int limit) {
    return table.due(shard, clock.millis(), limit).stream().map(Turns::due).toList();
  }

  private static Due due(Item item) {
    Layout.Key key = Table.key(item.attributes());
    return switch (key.sk()) {
      case Layout.META -> new Due.OfSession(key.session());
      case Layout.BOX -> new Due.OfSandbox(key.session());
      default -> new Due.OfTurn(key.turn());
    };
  }

  private static boolean same(String kept, String given) {
    return MessageDigest.isEqual(
        kept.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.US_ASCII));
  }
}
