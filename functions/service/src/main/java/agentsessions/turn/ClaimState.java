package agentsessions.turn;

import agentsessions.session.MessageKind;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.store.usage.SpendingLimitStore;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.SandboxLockItem;
import agentsessions.table.item.TurnItem;
import agentsessions.turn.budget.TurnBudget;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The state that a claim begins from, by one read: the turn, its session, the lock of its sandbox
/// where there is one yet, and the message of its user. `message` is empty where it is not visible
/// yet. `spendingLimits` are its workspace's.
public record ClaimState(
    Turn turn,
    Optional<Item> lock,
    Optional<Item> message,
    Optional<Session> session,
    SpendingLimits spendingLimits) {

  /// Empty where the ticket is not its turn's.
  static Optional<ClaimState> of(Table table, RunnerCredential ticket) {
    return ticket.firstStamp().flatMap(stamp -> of(table, ticket, stamp));
  }

  private static Optional<ClaimState> of(Table table, RunnerCredential ticket, Stamp stamp) {
    SessionKey key = ticket.turn().sessionKey();
    Layout.Key turn = Layout.turn(ticket.turn());
    Layout.Key lock = Layout.sandboxLock(key);
    Layout.Key message = Layout.message(key, MessageKind.USER, stamp);
    Layout.Key meta = Layout.meta(key);
    Layout.Key spendingLimits = Layout.spendingLimits(key.workspace());
    Map<Layout.Key, Item> items = table.items(List.of(turn, lock, meta, spendingLimits, message));
    return Turns.byHash(Optional.ofNullable(items.get(turn)), TurnItem.TICKET_HASH, ticket.hash())
        .map(found ->
            new ClaimState(
                found,
                Optional.ofNullable(items.get(lock)),
                Optional.ofNullable(items.get(message)),
                Sessions.visible(items.get(meta)),
                SpendingLimitStore.read(Optional.ofNullable(items.get(spendingLimits)))));
  }

  /// The budget of the turn.
  public TurnBudget budget() {
    return TurnBudget.of(turn, session);
  }

  /// Whether a runner held the sandbox when it was read.
  boolean isHeld() {
    return lock.filter(item -> item.has(SandboxLockItem.HOLDER)).isPresent();
  }
}
