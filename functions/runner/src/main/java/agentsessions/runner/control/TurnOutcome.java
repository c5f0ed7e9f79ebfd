package agentsessions.runner.control;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.FailureReason;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.sandbox.AgentProcess;

/// The outcome of a turn. There is a reply if and only if it was completed.
public sealed interface TurnOutcome {
  record Completed(String reply) implements TurnOutcome {}

  record Failed(FailureReason error) implements TurnOutcome {}

  /// Failed because its files take too much of the disk; they are not captured, which would need
  /// more space.
  record Overfull(FailureReason error) implements TurnOutcome {}

  record TimedOut(FailureReason error) implements TurnOutcome {}

  /// The agent has ended without a call that waits for a person, who may decide later. Failed for
  /// this reason where the turn cannot be parked.
  ///
  /// @param request the id of the pending request
  /// @param resumable whether the agent can go on from there
  /// @param late the reason where it was decided all the same
  record Waiting(String request, boolean resumable, FailureReason error, FailureReason late)
      implements TurnOutcome {}

  /// The same with secrets masked.
  default TurnOutcome masked(Mask mask) {
    return switch (this) {
      case Completed(String reply) -> new Completed(mask.text(reply));
      case Failed(FailureReason error) -> new Failed(error.masked(mask));
      case Overfull(FailureReason error) -> new Overfull(error.masked(mask));
      case TimedOut(FailureReason error) -> new TimedOut(error.masked(mask));
      case Waiting(String request, boolean resumable, FailureReason error, FailureReason late) ->
          new Waiting(request, resumable, error.masked(mask), late.masked(mask));
    };
  }

  static TurnOutcome failed(TurnErrorCode code, String message) {
    return new Failed(FailureReason.of(code, message));
  }

  static TurnOutcome waiting(String request, boolean resumable, String undecided, String late) {
    return new Waiting(
        request,
        resumable,
        FailureReason.of(TurnErrorCode.REQUEST_EXPIRED, undecided),
        FailureReason.of(TurnErrorCode.REQUEST_EXPIRED, late));
  }

  private static TurnOutcome overfull(String message) {
    return new Overfull(FailureReason.of(TurnErrorCode.LIMIT_EXCEEDED, message));
  }

  /// The order of the checks matters: a stopped agent may have replied, a failed one may exit with
  /// 0, and an error may look like a reply.
  static TurnOutcome of(ReplyReader replyReader, AgentProcess.Exit exit, Limits limits) {
    return switch (exit.ending()) {
      case TIME_LIMIT ->
          new TimedOut(
              replyReader
                  .model()
                  .explain(
                      FailureReason.of(
                          TurnErrorCode.TIME_LIMIT, "The agent took longer than it may.")));
      case OUTPUT_LIMIT ->
          failed(TurnErrorCode.LIMIT_EXCEEDED, "The agent printed more than it may.");
      case MODEL_LIMIT ->
          failed(TurnErrorCode.BUDGET_REACHED, "The agent asked its model more than it may.");
      case MEMORY ->
          failed(
              TurnErrorCode.LIMIT_EXCEEDED,
              "The agent used more memory than it may (%d MiB), or than the machine had left."
                  .formatted(limits.memory() >> 20));
      case DISK_QUOTA ->
          overfull(
              "The session's files take more of the disk than they may (%d MiB); ask the agent to delete some."
                  .formatted(limits.folder() >> 20));
      case INODE_QUOTA ->
          overfull(
              "The session has more files and folders than it may (%d); ask the agent to delete some."
                  .formatted(limits.files()));
      case DISK_FULL -> overfull("The disk is nearly full, and this turn has written the most.");
      case NOT_LIVE, UNAPPROVED_CALL, REQUEST_EXPIRED, EXIT -> replyReader.verdict(exit.status());
    };
  }
}
