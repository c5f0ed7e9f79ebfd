package agentsessions.turn;

/// What the sandbox holds once it has been let go.
sealed interface SandboxContents {
  /// What is on record, or what lies on the machine.
  record AsItIs() implements SandboxContents {}

  /// What had arrived, but was not recorded.
  record Arrived() implements SandboxContents {}

  /// What it held before the turn.
  record Lost() implements SandboxContents {}
}
