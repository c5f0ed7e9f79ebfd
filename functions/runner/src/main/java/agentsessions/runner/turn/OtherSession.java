package agentsessions.runner.turn;

import java.io.IOError;

/// Thrown in an environment that has run another session's turn, or could not be emptied: it must
/// be replaced, and another one must run the turn. An `IOError`, because the runtime client ends
/// the process on one; the state machine recognizes it by its name and tries again.
public final class OtherSession extends IOError {
  private static final long serialVersionUID = 1;

  OtherSession(Throwable cause) {
    super(cause);
  }
}
