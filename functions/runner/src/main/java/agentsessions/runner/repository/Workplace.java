package agentsessions.runner.repository;

import agentsessions.runner.agent.Network;
import agentsessions.runner.agent.TurnFailed;
import java.nio.file.Path;

/// Where git works.
///
/// @param network of the sandbox
/// @param isClosed whether nothing but a socket of ours leads out of it
public record Workplace(Maker maker, Network network, boolean isClosed) {

  /// Makes what runs errands in a turn's own folder.
  public interface Maker {
    /// Makes it for one of these folders.
    ///
    /// @throws TurnFailed if there can be no sandbox
    Errands at(Path io) throws TurnFailed;
  }
}
