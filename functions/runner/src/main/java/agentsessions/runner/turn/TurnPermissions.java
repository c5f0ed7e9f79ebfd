package agentsessions.runner.turn;

import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.network.host.HostJudge;
import agentsessions.runner.turn.call.HeldCalls;
import agentsessions.runner.turn.call.KeptCalls;
import agentsessions.runner.turn.call.ParkedDecision;
import agentsessions.runner.usage.ModelBudget;
import java.time.Duration;
import java.util.Optional;

/// The permissions of a session as they hold for the whole of a turn, its setup script included.
///
/// @param parkedDecision the decision for which the turn was parked, if it was
/// @param held what waits for a person's decision; empty where everything is allowed
/// @param hosts the judge of connections
record TurnPermissions(
    Optional<ParkedDecision> parkedDecision, Optional<HeldCalls> held, HostJudge hosts)
    implements AutoCloseable {

  /// Those of the claimed turn.
  ///
  /// @param service asked for people's decisions
  /// @param last when nobody waits for one any more, since this runner has to end
  /// @param mask hides secrets
  /// @param budget of the model, whose clock stands and which is not asked while one waits
  /// @param keptCalls told of what the agent is to keep until then
  static TurnPermissions of(
      ServiceClient service,
      Claim claim,
      Deadline last,
      Mask mask,
      EventFeed feed,
      ModelBudget budget,
      KeptCalls keptCalls) {
    Optional<ParkedDecision> parkedDecision = ParkedDecision.of(claim);
    Optional<HeldCalls> held =
        claim
            .permissions()
            .map(permissions -> Duration.ofSeconds(permissions.holdSeconds()))
            .map(hold ->
                new HeldCalls(
                    service,
                    claim,
                    parkedDecision,
                    hold,
                    last,
                    mask,
                    feed,
                    budget.clock(),
                    budget.pause(),
                    keptCalls));
    HostJudge.HostConsent consent =
        held.<HostJudge.HostConsent>map(calls -> calls::host).orElse((_, _) -> Verdict.ALLOWED);
    return new TurnPermissions(parkedDecision, held, new HostJudge(claim.rules(), consent));
  }

  /// What the agent is told that has to make the call again for which the turn was parked; empty
  /// where it is not to, or does so by itself.
  Optional<String> message() {
    return parkedDecision.filter(decision -> !decision.isExact()).map(ParkedDecision::message);
  }

  @Override
  public void close() {
    hosts.close();
  }
}
