package agentsessions.turn;

import agentsessions.aws.Layout;
import agentsessions.aws.Objects;
import agentsessions.aws.Table;
import agentsessions.session.SessionId;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;

/// Removes what a deleted session left, in steps that may each be the last: what tells that there
/// is more to do goes last.
@Singleton
public final class Purge {
  private static final int STEP = 500;

  private final Table table;
  private final Objects objects;
  private final Clock clock;

  public Purge(Table table, Objects objects, Clock clock) {
    this.table = table;
    this.objects = objects;
    this.clock = clock;
  }

  /// True while a runner still holds the sandbox of a deleted session: it may yet upload.
  public boolean mustWait(Workspace workspace, SessionId session) {
    return table
        .item(Layout.box(workspace, session))
        .filter(box -> box.has("holder") && box.number("lease_until") > clock.millis())
        .isPresent();
  }

  /// One step. The session itself goes in a step of its own, after one that found nothing else to
  /// remove: whoever is told of the purge hears of it at least once before it is over.
  public void step(Workspace workspace, SessionId session) {
    boolean more = false;
    for (String prefix : List.of("artifacts/", "texts/", "sandboxes/")) {
      more |= objects.purge(prefix + session + "/");
    }
    List<Layout.Key> rest =
        table.keys(Layout.partition(workspace, session), STEP).stream()
            .filter(key -> !key.sk().equals(Layout.META))
            .toList();
    table.purge(rest);
    if (!more && rest.isEmpty()) {
      table.purge(List.of(Layout.meta(workspace, session)));
    }
  }
}
