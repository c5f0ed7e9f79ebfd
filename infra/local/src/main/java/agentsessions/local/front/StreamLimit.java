package agentsessions.local.front;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// The limit of clients that wait for events, by stream or long polling: 400 at once, 200 of one
/// workspace, since each occupies one of the listener's thousand connections.
final class StreamLimit {
  private final int most;
  private final int mostOfOne;
  private final Map<String, Integer> open = new ConcurrentHashMap<>();

  StreamLimit() {
    this(400, 200);
  }

  /// @param most the limit of all
  /// @param mostOfOne the limit of one workspace
  StreamLimit(int most, int mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /// Counts a client in. The returned action counts it out again; to repeat it does no harm.
  ///
  /// @throws GatewayResponse 429 if a limit is reached
  synchronized Runnable enter(String workspace) {
    int all = open.values().stream().mapToInt(Integer::intValue).sum();
    if (all >= most || open.getOrDefault(workspace, 0) >= mostOfOne) {
      throw GatewayResponse.tooManyStreams();
    }
    open.merge(workspace, 1, Integer::sum);
    AtomicBoolean released = new AtomicBoolean();
    return () -> {
      if (!released.getAndSet(true)) {
        open.computeIfPresent(workspace, (_, count) -> count == 1 ? null : count - 1);
      }
    };
  }
}
