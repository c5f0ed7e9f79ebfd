package agentsessions.turn;

import agentsessions.session.DailyUsage;
import agentsessions.session.Turn;
import agentsessions.session.usage.Usage;
import agentsessions.store.usage.UsageLedger;
import agentsessions.table.Change;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The settlement of a turn: its usage is added to the sums once, by the transaction that ends it
/// after it was claimed, or, where its client ended it, by the one that releases its sandbox. Where
/// a turn is parked nothing is settled.
///
/// Why: decision 013.
final class Settlement {
  private static final String ONCE = "attribute_not_exists(#settled)";

  /// Settles a turn that is being ended, by its runner's report or from outside. A turn without a
  /// claim has used nothing.
  ///
  /// @param last the usage that its runner reports; empty: the last known one, which may be
  ///   incomplete
  /// @param ending the change of the turn
  /// @param session the change of its session
  /// @return the writes that are needed besides
  static List<Write> atEnd(
      Turn turn, Optional<Usage> last, Instant endedAt, Change ending, Change session) {
    if (turn.claimed().isEmpty()) {
      return List.of();
    }
    Usage kept = turn.account().usage();
    Usage total = last.map(kept::then).orElseGet(() -> turn.isPaused() ? kept : kept.incomplete());
    return settle(turn, total.at(turn.activeMillis(endedAt)), endedAt, ending, session);
  }

  /// Settles a turn that its client ends while no runner has it; its usage is all on record. Of any
  /// other nothing is written.
  static List<Write> atInterruption(Turn turn, Instant endedAt, Change ending, Change session) {
    Usage total = turn.account().usage().at(turn.activeMillis(endedAt));
    return turn.isPaused() ? settle(turn, total, endedAt, ending, session) : List.of();
  }

  /// The changes of a release: that of the turn, and the writes that add its usage to the sums.
  record Release(Change turn, List<Write> sums) {}

  /// Settles a turn whose sandbox is released, unless it is settled already or has yet to end.
  ///
  /// @param last the usage that its runner reports; empty: the last known one, which may be
  ///   incomplete
  /// @param known the usage kept with the sandbox, which may be later than the turn's
  static Release atRelease(Turn turn, Optional<Usage> last, Usage known, Instant now) {
    Usage kept = turn.account().usage().then(known);
    Usage total = last.map(kept::then).orElseGet(kept::incomplete);
    if (turn.live()) {
      return new Release(Guards.fenced(turn).set(TurnItem.USAGE, total), List.of());
    }
    if (turn.isSettled()) {
      return new Release(Guards.there(turn), List.of());
    }
    Change ended = Guards.ended(turn);
    Change session = SessionItem.change(turn.key().sessionKey());
    List<Write> sums = settle(turn, total.at(turn.usage().millis()), now, ended, session);
    return new Release(ended, Stream.concat(Stream.of(session.update()), sums.stream()).toList());
  }

  /// The mark on the turn and the sums are written in one transaction, so that a turn is added
  /// exactly once.
  private static List<Write> settle(
      Turn turn, Usage total, Instant now, Change ofTurn, Change session) {
    ofTurn.set(TurnItem.SETTLED, true).set(TurnItem.USAGE, total).when(ONCE);
    SessionItem.settled(session, turn.id(), total);
    return UsageLedger.add(turn.key().sessionKey(), total, DailyUsage.of(turn, total, now));
  }

  private Settlement() {}
}
