package agentsessions.turn;

import agentsessions.session.Turn;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;

/// The address at which runners reach the service: `…/runner/v1`.
///
/// On AWS it is the address at which the turn's message arrived, which is the same for as long as
/// the stack exists. A service on one machine may be started again on another port while turns
/// wait, so it states its present address.
@Singleton
public final class RunnerAddress {
  private final String now;

  /// @param now the present address, without a path; empty: the one at which the turn's message
  ///   arrived
  public RunnerAddress(@Property(name = "runner.address", defaultValue = "") String now) {
    this.now = now;
  }

  public String of(Turn turn) {
    return (now.isEmpty() ? turn.baseUrl() : now) + "/runner/v1";
  }
}
