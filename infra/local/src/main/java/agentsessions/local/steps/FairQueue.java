package agentsessions.local.steps;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A queue of sessions by workspace: the workspace that was served longest ago is next, and one
/// that was not served yet is before it. Within a workspace the order is that of arrival. Not for
/// use by several threads at once.
///
/// @param <T> what waits for a session
final class FairQueue<T> {
  /// The number of workspaces whose last service is remembered.
  static final int MOST_REMEMBERED = 1_000;

  /// What waits, by workspace and session, in the order of arrival.
  private final Map<String, Map<String, T>> waiting = new LinkedHashMap<>();

  /// The number of the last service of each workspace, also of those for which nothing waits: what
  /// it has got counts when another one arrives. The oldest service is first, and is forgotten
  /// first: that workspace stays before the others.
  private final Map<String, Long> served = new LinkedHashMap<>();

  private long services;

  /// Adds what waits for a session. What waited for the same session is displaced and returned: its
  /// place in the queue is kept.
  Optional<T> add(String workspace, String session, T fresh) {
    Map<String, T> ofWorkspace = waiting.computeIfAbsent(workspace, _ -> new LinkedHashMap<>());
    return Optional.ofNullable(ofWorkspace.put(session, fresh));
  }

  /// Takes out what waits no longer, unless it was displaced or served.
  void remove(String workspace, String session, T gone) {
    waiting.computeIfPresent(
        workspace,
        (_, ofWorkspace) -> {
          boolean _ = ofWorkspace.remove(session, gone);
          return ofWorkspace.isEmpty() ? null : ofWorkspace;
        });
  }

  /// Takes out what is to be served now.
  Optional<T> next() {
    return waiting.keySet().stream().min(this::compare).map(this::next);
  }

  private int compare(String one, String other) {
    return Long.compare(served.getOrDefault(one, 0L), served.getOrDefault(other, 0L));
  }

  private T next(String workspace) {
    served.remove(workspace);
    served.put(workspace, ++services);
    if (served.size() > MOST_REMEMBERED) {
      served.remove(served.keySet().iterator().next());
    }
    Map.Entry<String, T> first =
        waiting.getOrDefault(workspace, Map.of()).entrySet().iterator().next();
    T next = first.getValue();
    remove(workspace, first.getKey(), next);
    return next;
  }
}
