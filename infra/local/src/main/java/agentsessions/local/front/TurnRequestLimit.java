package agentsessions.local.front;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/// The limit of the requests that begin turns: a few of each workspace are worked on at a time, and
/// its others wait, in the order of arrival and without a time limit. A burst of them would
/// otherwise fill the queue of the database, whose calls, also those of other workspaces, then take
/// longer than they may.
final class TurnRequestLimit {
  /// As many as the database works on at once; see `PrivateServer`.
  static final int MOST = 6;

  private final Map<String, Places> all = new ConcurrentHashMap<>();

  /// The places of a workspace that are free, and the number of its requests that have one or wait
  /// for one.
  private record Places(Semaphore free, int requests) {
    Places and(int more) {
      return new Places(free, requests + more);
    }
  }

  /// The number of workspaces that are known.
  int workspaces() {
    return all.size();
  }

  /// Waits until a request may begin. The returned action ends it.
  Runnable enter(String workspace) {
    Places fresh = new Places(new Semaphore(MOST, true), 1);
    Semaphore free = all.merge(workspace, fresh, (known, _) -> known.and(1)).free();
    free.acquireUninterruptibly();
    return () -> {
      free.release();
      all.computeIfPresent(workspace, (_, known) -> known.requests() == 1 ? null : known.and(-1));
    };
  }
}
