package agentsessions.runner.repository;

import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.agent.TurnFailed;
import java.nio.file.Path;

/// The sandbox that git's scripts run in.
///
/// @param network the network access of the scripts
/// @param isClosed whether the sandbox has no network, so that only sockets of the runner lead out
///   of it
public record GitSandbox(Maker maker, NetworkAccess network, boolean isClosed) {

  /// Makes the runner of scripts for a turn.
  public interface Maker {
    /// Makes it for a turn's own folder.
    ///
    /// @throws TurnFailed if no sandbox can be made
    ScriptRunner at(Path io) throws TurnFailed;
  }
}
