package agentsessions.aws;

import agentsessions.session.SessionId;

/// What runners run on. It starts one with a ticket, and that is all it knows of a turn: whether
/// the runner came, and what became of it, shows in the table.
public interface Engine {
  /// What a runner is started with.
  ///
  /// @param ticket claims the turn, by this attempt alone
  /// @param url of the runner protocol, `…/runner/v1`
  record Launch(String ticket, String url, int attempt, SessionId session) {
    /// Without the ticket, so that no log can hold it.
    @Override
    public String toString() {
      return "launch %d for %s".formatted(attempt, session);
    }
  }

  /// The account's limits leave no room for a runner now: none was started.
  final class NoRoom extends Exception {
    private static final long serialVersionUID = 1;

    public NoRoom(Throwable cause) {
      super(cause);
    }
  }

  /// Starts a runner. That an answer was lost does not mean that none was started.
  void launch(Launch launch) throws NoRoom;

  /// Whether a launch that was accepted is a runner that was started. Where it is not, it may wait
  /// for room inside the engine and be dropped there, and says nothing about the runner.
  boolean startsAtOnce();
}
