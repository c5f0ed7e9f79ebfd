package agentsessions.session;

/// The treatment of a turn that runs when another message comes.
public enum OnRunning {
  /// The turn ends as interrupted, and the message's own begins.
  INTERRUPT,

  /// The message's turn waits until that turn, and those that wait already, have ended.
  QUEUE
}
