package agentsessions.chaos.fuzz;

import agentsessions.chaos.rig.RawHttp.Request;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/// The fuzz test of the gate, with the same requests each time. (50,000 random ones: scripts/bench
/// fuzz.)
@Tag("chaos")
class FuzzTest extends Fuzz {
  @Property(edgeCases = EdgeCasesMode.NONE, tries = 200, seed = "27")
  void everyAnswerIsInShape(@ForAll("requests") Request request) throws Exception {
    isAnsweredInShape(request);
  }

  @Tag("deep")
  @Property(edgeCases = EdgeCasesMode.NONE, tries = 1000, seed = "2027")
  void everyAnswerToManyIsInShape(@ForAll("requests") Request request) throws Exception {
    isAnsweredInShape(request);
  }
}
