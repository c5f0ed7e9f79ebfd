package agentsessions.aws;

import agentsessions.session.SessionId;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// Removes what a deleted session left, in steps that may each be the last: what tells that there
/// is more to do goes last.
@Singleton
public final class Purge {
  private static final int STEP = 500;

  private final Table table;
  private final Objects objects;
  private final Clock clock;

  Purge(Table table, Objects objects, Clock clock) {
    this.table = table;
    this.objects = objects;
    this.clock = clock;
  }

  /// One step; true when nothing is left. Waits while a runner still holds the sandbox, since it
  /// may yet upload.
  public boolean step(Workspace workspace, SessionId session) {
    Optional<Item> box = table.item(Layout.box(workspace, session));
    if (box.filter(held -> held.has("holder") && held.number("lease_until") > clock.millis())
        .isPresent()) {
      return false;
    }
    for (String prefix : List.of("artifacts/", "texts/", "sandboxes/")) {
      if (objects.purge(prefix + session + "/")) {
        return false;
      }
    }
    String pk = Layout.partition(workspace, session);
    List<Layout.Key> rest =
        table.keys(pk, STEP).stream()
            .filter(key -> !key.sk().equals(Layout.META) && !key.sk().equals(Layout.BOX))
            .toList();
    table.purge(rest);
    if (rest.size() >= STEP - 2) {
      return false;
    }
    table.purge(List.of(Layout.box(workspace, session)));
    table.purge(List.of(Layout.meta(workspace, session)));
    return true;
  }
}
