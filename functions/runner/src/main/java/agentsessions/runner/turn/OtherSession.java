package agentsessions.runner.turn;

import java.io.IOError;

/// This environment has run another session's turn, or could not be emptied: it must be replaced,
/// and the turn be given to another one. An `IOError`, because that is what the runtime client ends
/// the process for; the state machine knows it by its name and tries again.
public final class OtherSession extends IOError {
  private static final long serialVersionUID = 1;

  OtherSession(Throwable cause) {
    super(cause);
  }
}
