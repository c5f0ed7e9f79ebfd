package agentsessions.turn;

import static agentsessions.turn.Guards.live;
import static agentsessions.turn.Guards.notHeld;

import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Stamp;
import agentsessions.store.request.RequestWrites;
import agentsessions.table.Change;
import agentsessions.table.Write;
import agentsessions.table.item.TurnItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The end of a turn by its client while it may be at work: by a follow-up, a cancel or a delete,
/// at a stamp after everything that its runner may have written meanwhile.
public final class Interruption {
  /// The margin for events that a running turn may write before it is ended.
  private static final long AHEAD_MICROS = 50_000;

  /// Ends a turn without a closing message; all its events lie before `stamp`. It is written by
  /// [#writes].
  public static Change of(Turn turn, Instant now, TurnStatus status, Stamp stamp) {
    return notHeld(live(turn, stamp), turn, now)
        .set(TurnItem.STATUS, status)
        .set(TurnItem.ENDED_AT, now)
        .notDue();
  }

  /// The writes of such an end: the request that the turn waited for is closed, and a turn that no
  /// runner has is settled, since none will release its sandbox.
  ///
  /// @param session the change of its session, which is written besides
  public static List<Write> writes(Change end, Turn turn, Instant now, Change session) {
    List<Write> sums = Settlement.atInterruption(turn, now, end, session);
    List<Write> writes = new ArrayList<>(List.of(end.update()));
    writes.addAll(sums);
    writes.addAll(RequestWrites.closed(turn));
    return writes;
  }

  /// The last stamp that the session has given out.
  public static Stamp lastStamp(Session session, Turn turn) {
    return turn.lastStamp().compareTo(session.turns().lastStamp()) > 0
        ? turn.lastStamp()
        : session.turns().lastStamp();
  }

  /// The stamp of the end, where `last` is the last stamp known.
  public static Stamp stamp(Stamp last, Instant now) {
    return Stamp.after(last, now).plusMicros(AHEAD_MICROS);
  }

  private Interruption() {}
}
