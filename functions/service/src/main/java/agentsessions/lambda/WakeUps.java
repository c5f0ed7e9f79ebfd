package agentsessions.lambda;

import agentsessions.aws.EventCalls;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/// The calls that keep functions active. Lambda makes a version with a snapshot inactive when
/// nobody has called it for 14 days: its next call fails, and so do those of some minutes after it.
/// Every function takes the event `{"task": "wake"}`, and does nothing.
final class WakeUps {
  private static final Map<String, Object> EVENT = Map.of("task", "wake");
  private static final Logger LOG = LoggerFactory.getLogger(WakeUps.class);

  static boolean isOne(Map<String, Object> event) {
    return EVENT.equals(event);
  }

  /// Calls each function, whatever becomes of the others; the number of those that took the call.
  ///
  /// @param functions their ARNs
  static int send(EventCalls calls, List<String> functions) {
    int taken = 0;
    for (String function : functions) {
      try {
        calls.begin(function, EVENT);
        taken++;
      } catch (SdkException fault) {
        LOG.atWarn()
            .addKeyValue("function", function)
            .addKeyValue("fault", fault.getMessage())
            .log("function.not_woken");
      }
    }
    return taken;
  }

  private WakeUps() {}
}
