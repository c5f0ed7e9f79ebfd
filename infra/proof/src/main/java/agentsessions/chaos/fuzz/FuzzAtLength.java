package agentsessions.chaos.fuzz;

import agentsessions.chaos.rig.RawHttp.Request;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// The long fuzz run with random requests, as many as `scripts/bench fuzz` is given; a failure
/// prints its seed.
public class FuzzAtLength extends Fuzz {
  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyAnswerIsInShape(@ForAll("requests") Request request) throws Exception {
    isAnsweredInShape(request);
  }
}
