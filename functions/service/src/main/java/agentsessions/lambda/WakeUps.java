package agentsessions.lambda;

import java.util.Map;

/// The calls that keep functions active. Lambda makes a version with a snapshot inactive when
/// nobody has called it for 14 days: its next call fails, and so do those of some minutes after it.
/// Every function takes the event `{"task": "wake"}`, and does nothing.
final class WakeUps {
  static final Map<String, Object> EVENT = Map.of("task", "wake");

  static boolean isOne(Map<String, Object> event) {
    return EVENT.equals(event);
  }

  private WakeUps() {}
}
