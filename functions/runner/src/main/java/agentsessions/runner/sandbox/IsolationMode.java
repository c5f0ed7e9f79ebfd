package agentsessions.runner.sandbox;

/// The way in which agents are isolated on this machine.
public enum IsolationMode {
  /// A sandbox, made for each command.
  BUBBLEWRAP,

  /// A machine or container for one session alone, in which agents run as another user than the
  /// runner.
  TASK,

  /// None: only trusted agents may run.
  NONE
}
