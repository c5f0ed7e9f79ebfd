package agentsessions.runner;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// One run at a time in a session's folder, first come first served, within this process.
///
/// The service has a lock for this as well; this one covers the moments in which it has given the
/// sandbox to a new run while an old one, whose lease ran out, is still dying here.
final class SessionLocks {
  private final ConcurrentMap<String, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  /// Waits until all earlier runs of the session have let go.
  Hold hold(String sessionId) {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> before = last.put(sessionId, mine);
    if (before != null) {
      before.join();
    }
    return new Hold(sessionId, mine);
  }

  final class Hold implements AutoCloseable {
    private final String sessionId;
    private final CompletableFuture<Void> mine;

    private Hold(String sessionId, CompletableFuture<Void> mine) {
      this.sessionId = sessionId;
      this.mine = mine;
    }

    @Override
    public void close() {
      last.remove(sessionId, mine);
      mine.complete(null);
    }
  }
}
