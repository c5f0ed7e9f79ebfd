package agentsessions.turn;

import agentsessions.session.Turn;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;

/// Where runners reach the service: `…/runner/v1`.
///
/// On AWS it is of the address that the turn's message came by, and the same for as long as there
/// is the stack. A service on one machine may be started again on another port while turns wait, so
/// it says where it is now.
@Singleton
public final class RunnerAddress {
  private final String now;

  /// @param now without a path; empty: where the turn's message came in
  public RunnerAddress(@Property(name = "runner.address", defaultValue = "") String now) {
    this.now = now;
  }

  public String of(Turn turn) {
    return (now.isEmpty() ? turn.baseUrl() : now) + "/runner/v1";
  }
}
