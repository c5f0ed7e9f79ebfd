package agentsessions.runner.turn.call;

import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.PendingVerdict;
import agentsessions.runner.agent.tool.ToolConsent;
import agentsessions.runner.agent.tool.Verdict;

/// The consent of a run in which nobody is asked, and an agent hears that the calls that it keeps
/// do not run.
public record KeptCallsConsent(KeptCalls kept) implements ToolConsent {
  @Override
  public PendingVerdict question(String kind, AgentToolCall call) {
    return () -> Verdict.denied("Nobody is asked about it.");
  }

  @Override
  public PendingVerdict answers(AgentToolCall call) {
    return question("", call);
  }

  @Override
  public boolean notes(AgentToolCall call, Verdict verdict) {
    return kept.notes(call, verdict);
  }

  @Override
  public void answered(Verdict verdict, boolean heard) {
    kept.answered(verdict, heard);
  }
}
