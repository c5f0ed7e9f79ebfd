package agentsessions.runner.turn;

import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.network.host.HostJudge;
import agentsessions.runner.usage.TurnClock;
import agentsessions.wire.Work;
import java.time.Duration;
import java.util.Optional;

/// The permissions of a session as they hold for the whole of a turn, its setup script included.
///
/// @param held what waits for a person's decision
/// @param hosts the judge of connections
record TurnPermissions(HeldCalls held, HostJudge hosts) implements AutoCloseable {

  /// Those of the claimed turn; empty where everything is allowed.
  ///
  /// @param service asked for people's decisions
  /// @param last when nobody waits for one any more, since this runner has to end
  /// @param mask hides secrets
  /// @param clock stopped while one waits
  static Optional<TurnPermissions> of(
      ServiceClient service,
      Claim claim,
      Deadline last,
      Mask mask,
      EventFeed feed,
      TurnClock clock) {
    return Optional.ofNullable(claim.turn().work())
        .map(Work::permissions)
        .map(permissions -> {
          Duration hold = Duration.ofSeconds(permissions.holdSeconds());
          HeldCalls held = new HeldCalls(service, claim, hold, last, mask, feed, clock);
          return new TurnPermissions(
              held, new HostJudge(PermissionRules.of(permissions), held::host));
        });
  }

  @Override
  public void close() {
    hosts.close();
  }
}
