package agentsessions.local.steps;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The description of an execution, as `DescribeExecution` returns it.
///
/// @param input JSON
/// @param output JSON; null unless it succeeded
/// @param stopped the time of its end; null while it runs
public record ExecutionDescription(
    String name,
    String input,
    Status status,
    Instant started,
    @Nullable Instant stopped,
    @Nullable String output,
    @Nullable String error,
    @Nullable String cause) {
  /// The status of an execution.
  public enum Status {
    RUNNING,
    SUCCEEDED,
    FAILED,
    TIMED_OUT,
    ABORTED
  }

  boolean isOver(Instant time) {
    return stopped != null && stopped.isBefore(time);
  }

  ExecutionDescription ended(
      Status how,
      Instant when,
      @Nullable String result,
      @Nullable String why,
      @Nullable String because) {
    return new ExecutionDescription(name, input, how, started, when, result, why, because);
  }
}
