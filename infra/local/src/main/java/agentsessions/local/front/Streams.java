package agentsessions.local.front;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// How many clients wait for events, in a stream or for one answer: so many at once, and of these
/// so many of one workspace, since each keeps one of a thousand connections that others might want.
final class Streams {
  private final int most;
  private final int mostOfOne;
  private final Map<String, Integer> open = new ConcurrentHashMap<>();

  Streams() {
    this(400, 200);
  }

  /// @param most at once
  /// @param mostOfOne workspace
  Streams(int most, int mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /// One client more; what must be run, once or more often, when it waits no longer.
  ///
  /// @throws GatewayResponse 429 if there is no room
  synchronized Runnable enter(String workspace) {
    int all = open.values().stream().mapToInt(Integer::intValue).sum();
    if (all >= most || open.getOrDefault(workspace, 0) >= mostOfOne) {
      throw GatewayResponse.tooManyStreams();
    }
    open.merge(workspace, 1, Integer::sum);
    AtomicBoolean left = new AtomicBoolean();
    return () -> {
      if (!left.getAndSet(true)) {
        open.computeIfPresent(workspace, (_, count) -> count == 1 ? null : count - 1);
      }
    };
  }
}
