package agentsessions.runner.sandbox;

/// What keeps an agent from everything else.
public enum Isolation {
  /// A sandbox, made for each command.
  BUBBLEWRAP,

  /// A machine or container that is one session's; agents are another user in it than the runner.
  TASK,

  /// Nothing: only agents that are trusted may run.
  NONE
}
