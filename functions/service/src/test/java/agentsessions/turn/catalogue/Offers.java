package agentsessions.turn.catalogue;

import agentsessions.session.Engine;
import java.util.List;

/// Deployments with one engine.
public final class Offers {
  /// Where nothing but the engine bounds what an agent may do.
  public static Engines on(Engine engine) {
    return new Engines(engine.word(), List.of(), "", List.of("*"), 86_400, 28_800);
  }

  private Offers() {}
}
