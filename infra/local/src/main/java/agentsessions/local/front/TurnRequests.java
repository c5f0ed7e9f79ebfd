package agentsessions.local.front;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/// The requests that begin turns: a few of each workspace are worked on at a time, and its others
/// wait, in the order of arrival and without a time limit. A burst of them would otherwise fill the
/// queue of the database, whose calls, also those of other workspaces, then take longer than they
/// may.
final class TurnRequests {
  /// As many as the database works on at once; see `PrivateServer`.
  static final int MOST = 6;

  private final Map<String, Semaphore> places = new ConcurrentHashMap<>();

  /// Waits until a request may begin. The returned action ends it.
  Runnable enter(String workspace) {
    Semaphore ofWorkspace = places.computeIfAbsent(workspace, _ -> new Semaphore(MOST, true));
    ofWorkspace.acquireUninterruptibly();
    return ofWorkspace::release;
  }
}
