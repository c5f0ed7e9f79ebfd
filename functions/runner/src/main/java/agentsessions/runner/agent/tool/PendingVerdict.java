package agentsessions.runner.agent.tool;

/// A verdict that may have to be waited for.
@FunctionalInterface
public interface PendingVerdict {
  /// Returns at once, or when a person has decided.
  Verdict await() throws InterruptedException;
}
