package agentsessions.runner.start;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Signal;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.ServiceClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The warm-up of the process: does once what every turn and interrupt does, so that the first turn
/// need not wait for classes to be loaded. It has no other effect.
final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /// An address that refuses connections.
  private static final URI NOWHERE = URI.create("http://127.0.0.1:1/runner/v1");

  private static final String CLAIM =
      """
      {"token": "", "fence": 1, "session_id": "00000000-0000-0000-0000-000000000000",
       "thread_id": "", "turn_number": 1, "agent_name": "", "message": "", "deadline_at": 0,
       "check_millis": 1, "renew_seconds": 1,
       "agent": {"command": ["true"], "reply": {"from": "stdout"}}}
      """;

  private WarmUp() {}

  static void run() {
    try {
      Signal.rehearse();
      LOG.debug("rehearsed with {}", ProcessHandle.current().descendants().toList());
      LOG.debug("rehearsed {}", Claim.of(Json.MAPPER.readTree(CLAIM)));
      boolean _ = new ServiceClient(NOWHERE, "").isLive(Duration.ZERO);
    } catch (IOException expected) {
      LOG.debug("rehearsed: {}", expected.getMessage());
    }
  }
}
