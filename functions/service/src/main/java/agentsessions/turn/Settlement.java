package agentsessions.turn;

import agentsessions.aws.Change;
import agentsessions.aws.Layout;
import agentsessions.aws.SessionItem;
import agentsessions.aws.Write;
import agentsessions.session.Turn;
import agentsessions.session.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How what a turn has used comes into the sums: once, by the transaction that ends it after it was
/// claimed, or, where its client ended it, by the one that lets go of its sandbox.
final class Settlement {
  private static final String ONCE = "attribute_not_exists(#settled)";

  /// Of a turn that is being ended, as its runner reports it or from outside. One that nobody
  /// claimed has used nothing.
  ///
  /// @param last what its runner says that it has used; empty: what it said before, and perhaps
  ///   more
  /// @param ending the change of the turn
  /// @param session the change of its session
  static void atEnd(
      Turn turn, Optional<Usage> last, Instant endedAt, Change ending, Change session) {
    if (turn.claimed().isPresent()) {
      Usage kept = turn.account().usage();
      Usage total = last.map(kept::then).orElseGet(kept::incomplete);
      settle(turn, total.at(turn.activeMillis(endedAt)), ending, session);
    }
  }

  /// A turn whose sandbox is let go: what changes of it, and what that adds to the sums.
  record Release(Change turn, List<Write> sums) {}

  /// Of a turn whose sandbox is let go: what is not settled is, unless the turn has yet to end.
  ///
  /// @param last what its runner says that it has used; empty: what it said before, and perhaps
  ///   more
  /// @param known what was kept with the sandbox, which may be later than what the turn has
  static Release atRelease(Turn turn, Optional<Usage> last, Usage known) {
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
    settle(turn, total.at(turn.usage().millis()), ended, session);
    return new Release(ended, List.of(session.update()));
  }

  private static void settle(Turn turn, Usage total, Change ofTurn, Change session) {
    ofTurn.set("settled", true).set("usage", total).when(ONCE);
    SessionItem.settled(session, turn.id(), total);
  }

  private Settlement() {}
}
