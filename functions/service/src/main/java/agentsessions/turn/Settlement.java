package agentsessions.turn;

import agentsessions.session.Tally;
import agentsessions.session.Turn;
import agentsessions.session.usage.Usage;
import agentsessions.store.usage.Sums;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// How what a turn has used comes into the sums: once, by the transaction that ends it after it was
/// claimed, or, where its client ended it, by the one that lets go of its sandbox.
///
/// Why: decision 013.
final class Settlement {
  private static final String ONCE = "attribute_not_exists(#settled)";

  /// Of a turn that is being ended, as its runner reports it or from outside. One that nobody
  /// claimed has used nothing.
  ///
  /// @param last what its runner says that it has used; empty: what it said before, and perhaps
  ///   more
  /// @param ending the change of the turn
  /// @param session the change of its session
  /// @return what has to be written besides
  static List<Write> atEnd(
      Turn turn, Optional<Usage> last, Instant endedAt, Change ending, Change session) {
    if (turn.claimed().isEmpty()) {
      return List.of();
    }
    Usage kept = turn.account().usage();
    Usage total = last.map(kept::then).orElseGet(kept::incomplete);
    return settle(turn, total.at(turn.activeMillis(endedAt)), endedAt, ending, session);
  }

  /// A turn whose sandbox is let go: what changes of it, and what that adds to the sums.
  record Release(Change turn, List<Write> sums) {}

  /// Of a turn whose sandbox is let go: what is not settled is, unless the turn has yet to end.
  ///
  /// @param last what its runner says that it has used; empty: what it said before, and perhaps
  ///   more
  /// @param known what was kept with the sandbox, which may be later than what the turn has
  static Release atRelease(Turn turn, Optional<Usage> last, Usage known, Instant now) {
    Usage kept = turn.account().usage().then(known);
    Usage total = last.map(kept::then).orElseGet(kept::incomplete);
    if (turn.live()) {
      return new Release(Guards.held(turn).set("usage", total), List.of());
    }
    if (turn.isSettled()) {
      return new Release(Guards.there(turn), List.of());
    }
    Change ended = Guards.ended(Guards.key(turn));
    Change session = Change.of(Layout.meta(turn.key().session()));
    List<Write> sums = settle(turn, total.at(turn.usage().millis()), now, ended, session);
    return new Release(ended, Stream.concat(Stream.of(session.update()), sums.stream()).toList());
  }

  /// What is written together is there once, or not at all: so are the sums.
  private static List<Write> settle(
      Turn turn, Usage total, Instant now, Change ofTurn, Change session) {
    ofTurn.set("settled", true).set("usage", total).when(ONCE);
    SessionItem.settled(session, turn.id(), total);
    return Sums.add(turn.key().session(), total, Tally.of(turn, total, now));
  }

  private Settlement() {}
}
