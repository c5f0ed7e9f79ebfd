package agentsessions.runner.turn;

import agentsessions.runner.control.Deadline;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/// The deadlines of an invocation's phases: for a person to decide, for the agent to end, for its
/// files and result to be reported, for its sandbox to be saved, and for the sandbox to be
/// released. Each phase may use the time that earlier ones left over.
record TurnDeadlines(
    Deadline decision, Deadline agent, Deadline report, Deadline save, Deadline release) {
  /// For an agent to end that has heard that its call waits on.
  private static final Duration FOR_END = Duration.ofSeconds(15);

  private static final Duration FOR_REPORT = Duration.ofSeconds(25);
  private static final Duration FOR_RELEASE = Duration.ofSeconds(5);

  /// Divides the time; the agent gets at least a third, however short it is.
  ///
  /// @param forSave the likely duration of the save
  static TurnDeadlines of(Deadline all, Duration forSave) {
    Duration remaining = all.remaining();
    Deadline save = all.less(shorter(FOR_RELEASE, remaining.dividedBy(6)));
    Deadline report = save.less(shorter(forSave, remaining.dividedBy(4)));
    Deadline agent = report.less(shorter(FOR_REPORT, remaining.dividedBy(4)));
    Deadline decision = agent.less(shorter(FOR_END, remaining.dividedBy(12)));
    return new TurnDeadlines(decision, agent, report, save, all);
  }

  private static Duration shorter(Duration one, Duration other) {
    return Collections.min(List.of(one, other));
  }
}
