package agentsessions.runner.turn.call;

import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.PendingVerdict;
import agentsessions.runner.agent.tool.ToolConsent;
import agentsessions.runner.agent.tool.Verdict;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The consent of a run in which nobody is asked, and an agent hears that the calls that it keeps
/// do not run. What it has heard is kept no more.
public final class KeptCallsConsent implements ToolConsent {
  private static final Logger LOG = LoggerFactory.getLogger(KeptCallsConsent.class);

  private final KeptCalls kept;
  private final Map<Verdict, String> given = Collections.synchronizedMap(new IdentityHashMap<>());

  public KeptCallsConsent(KeptCalls kept) {
    this.kept = kept;
  }

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
    given.put(verdict, call.id());
    return true;
  }

  @Override
  public void answered(Verdict verdict, boolean heard) {
    String id = given.remove(verdict);
    try {
      if (heard && id != null) {
        kept.forget(id);
      }
    } catch (IOException failed) {
      LOG.warn("a call stays noted as kept: {}", failed.toString());
    }
  }
}
