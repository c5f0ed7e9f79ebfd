package agentsessions.chaos.fuzz;

import agentsessions.chaos.rig.RawHttp.Request;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// Requests by chance, as many as `scripts/bench fuzz` is told: a failure comes with its seed.
public class FuzzAtLength extends Fuzz {
  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyAnswerIsInShape(@ForAll("requests") Request request) throws Exception {
    isAnsweredInShape(request);
  }
}
