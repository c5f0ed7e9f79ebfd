package agentsessions.turn;

/// The contents of a sandbox after its release.
sealed interface SandboxContents {
  /// The recorded snapshot, or the folder on the machine.
  record AsItIs() implements SandboxContents {}

  /// The upload that had arrived, but was not recorded.
  record Arrived() implements SandboxContents {}

  /// The contents from before the turn: those of the turn are lost.
  record Lost() implements SandboxContents {}
}
