package agentsessions.turn.intake;

import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.session.repository.PushJob;
import agentsessions.table.Change;
import agentsessions.table.TimeOrderedIds;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A job that begins, and the writes with which it does.
final class NewJob {
  private NewJob() {}

  /// @param stamp of its beginning
  /// @param dueAt the time from which the sweep looks at it
  /// @param keyId the API key that asked for it
  static Turn of(
      Session session, Stamp stamp, String baseUrl, Instant dueAt, PushJob job, String keyId) {
    Receipt receipt = new Receipt(session.key().turn(TimeOrderedIds.turn(stamp).job()), stamp);
    return Turn.job(session, receipt, baseUrl, dueAt, job, keyId);
  }

  /// @param session the change of its session, with the conditions on which it begins
  static List<Write> writes(Turn job, Change session) {
    List<Write> writes = new ArrayList<>();
    writes.add(session.set(SessionItem.JOB, job.id()).update());
    writes.add(TurnItem.put(job).put());
    return writes;
  }
}
