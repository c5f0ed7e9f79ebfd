package agentsessions.local.front;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// How many clients wait for events, in a stream or for one answer: so many at once, and of these
/// so many of one workspace, since each keeps one of a thousand connections that others might want.
final class Streams {
  private static final int MOST = 400;
  private static final int MOST_OF_ONE = 200;

  private final Map<String, Integer> open = new ConcurrentHashMap<>();

  /// One client more; what must be run, once or more often, when it waits no longer.
  ///
  /// @throws GatewayResponse 429 if there is no room
  synchronized Runnable enter(String workspace) {
    int all = open.values().stream().mapToInt(Integer::intValue).sum();
    if (all >= MOST || open.getOrDefault(workspace, 0) >= MOST_OF_ONE) {
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
