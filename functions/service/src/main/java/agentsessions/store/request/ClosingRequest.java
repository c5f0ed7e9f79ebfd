package agentsessions.store.request;

import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.session.request.Request;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import java.util.ArrayList;
import java.util.List;

/// The request that the end of a turn or of a job leaves, and for which its session waits then.
///
/// @param fourEyes whether another key must decide than those that sent the messages
/// @param ended the turn or the job
/// @param stamp of that end
public record ClosingRequest(Request request, boolean fourEyes, Turn ended, Stamp stamp) {

  /// Notes in the change of the session that it waits.
  public void note(Change session) {
    session
        .set(SessionItem.CLOSING_REQUEST, request.id())
        .set(SessionItem.CLOSING_SINCE, request.createdAt().instant());
  }

  /// The writes that make it, and that list the session.
  public List<Write> writes() {
    List<Write> writes =
        new ArrayList<>(RequestWrites.left(request, fourEyes, ended.account().keyId()));
    writes.add(
        Change.of(
                Layout.awaitingDecision(ended.key().sessionKey(), ended.stamps().sessionCreated()))
            .overwrite());
    return writes;
  }

  /// The events of the end, and after them its own.
  public PendingEvents after(PendingEvents events) {
    return events.asked(request, stamp.plusMicros(1));
  }
}
