package agentsessions.aws;

import agentsessions.session.SessionId;
import agentsessions.session.Turn;
import agentsessions.session.TurnId;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.List;
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
    record OfTurn(Workspace workspace, SessionId session, TurnId turn) implements Due {}

    record OfSession(Workspace workspace, SessionId session) implements Due {}

    record OfSandbox(Workspace workspace, SessionId session) implements Due {}
  }

  public Optional<Turn> load(Workspace workspace, SessionId session, TurnId id) {
    return table
        .item(Layout.turn(workspace, session, id))
        .map(item -> Codec.turn(workspace, session, id, item));
  }

  /// The turns of a session in order of time, from `first` to `last`; at most `limit`.
  public List<Turn> list(
      Workspace workspace,
      SessionId session,
      String first,
      String last,
      boolean ascending,
      int limit) {
    return table
        .range(
            Layout.partition(workspace, session),
            Layout.TURNS + first,
            Layout.TURNS + last,
            ascending,
            limit)
        .stream()
        .map(item -> Codec.turn(workspace, session, id(item), item))
        .toList();
  }

  /// The turn that a token or ticket was given out for, where `hash` is what is kept of it under
  /// `attribute`.
  public Optional<Turn> byHash(
      Workspace workspace, SessionId session, TurnId id, String attribute, String hash) {
    return table
        .item(Layout.turn(workspace, session, id))
        .filter(item -> same(item.text(attribute, ""), hash))
        .map(item -> Codec.turn(workspace, session, id, item));
  }

  /// What is due in one of the index's partitions.
  public List<Due> due(String shard, int limit) {
    return table.due(shard, clock.millis(), limit).stream().map(Turns::due).toList();
  }

  private static TurnId id(Item item) {
    return TurnId.parse(item.requiredText("SK").substring(Layout.TURNS.length())).orElseThrow();
  }

  private static Due due(Item item) {
    Layout.Key key = Table.key(item.attributes());
    String[] parts = key.pk().split("#", -1);
    Workspace workspace = new Workspace(parts[1]);
    SessionId session = SessionId.parse(parts[3]).orElseThrow();
    return switch (key.sk()) {
      case Layout.META -> new Due.OfSession(workspace, session);
      case Layout.BOX -> new Due.OfSandbox(workspace, session);
      default -> new Due.OfTurn(workspace, session, id(item));
    };
  }

  private static boolean same(String kept, String given) {
    return MessageDigest.isEqual(
        kept.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.US_ASCII));
  }
}
