package agentsessions.runner.control;

import agentsessions.rule.Encoded;
import agentsessions.runner.agent.FailureReason;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.Utf8;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.RepositoryReport.Fault;
import agentsessions.wire.TurnResult;
import agentsessions.wire.UsageReport;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The conversion of a turn's outcome to the result that is reported to the service.
public final class Results {
  /// The most bytes of a result: AWS's limit for an invocation event, less room for the rest of the
  /// event.
  private static final long MOST = 6_291_556 - 64 * 1024;

  private Results() {}

  /// The longest prefix of a reply that is within the limit of replies and fits into the event.
  public static String fitting(
      String reply, List<TurnResult.Artifact> artifacts, List<RepositoryReport> repositories)
      throws JsonProcessingException {
    TurnResult rest = of(new TurnOutcome.Completed(""), artifacts, repositories, null);
    // The body is a string within the event's JSON, which at most doubles its size.
    long remaining = MOST - 2L * Json.MAPPER.writeValueAsBytes(rest).length;
    return Encoded.clip(
        Utf8.exceeds(reply, Limits.REPLY) ? Utf8.clip(reply, Limits.REPLY) : reply, remaining);
  }

  /// The result for an outcome.
  ///
  /// @param usage all that the turn has used
  public static TurnResult of(
      TurnOutcome outcome,
      List<TurnResult.Artifact> artifacts,
      List<RepositoryReport> repositories,
      @Nullable UsageReport usage) {
    return switch (outcome) {
      case TurnOutcome.Completed(String reply) ->
          new TurnResult(TurnResult.COMPLETED, reply, null, artifacts, repositories, usage, null);
      case TurnOutcome.Failed(FailureReason error) ->
          new TurnResult(
              TurnResult.FAILED, null, fault(error), artifacts, repositories, usage, null);
      case TurnOutcome.Overfull(FailureReason error) ->
          new TurnResult(
              TurnResult.FAILED, null, fault(error), artifacts, repositories, usage, null);
      case TurnOutcome.Waiting(String _, boolean _, FailureReason error, FailureReason _) ->
          new TurnResult(
              TurnResult.FAILED, null, fault(error), artifacts, repositories, usage, null);
      case TurnOutcome.TimedOut(FailureReason error) ->
          new TurnResult(
              TurnResult.TIMED_OUT, null, fault(error), artifacts, repositories, usage, null);
    };
  }

  private static TurnResult.Fault fault(FailureReason error) {
    return new TurnResult.Fault(error.code().name(), error.message(), error.retryable());
  }

  /// The report with secrets masked in the texts that come from the repository's host.
  public static RepositoryReport masked(RepositoryReport report, Mask mask) {
    Fault error = report.error();
    return new RepositoryReport(
        report.number(),
        report.baseCommit(),
        report.headCommit(),
        report.branch(),
        report.filesChanged(),
        report.additions(),
        report.deletions(),
        report.patchKey(),
        report.patchSha256(),
        report.tree(),
        report.pushed(),
        masked(report.pullRequestUrl(), mask),
        error == null ? null : new Fault(error.code(), masked(error.message(), mask)));
  }

  private static @Nullable String masked(@Nullable String text, Mask mask) {
    return text == null ? null : mask.text(text);
  }
}
