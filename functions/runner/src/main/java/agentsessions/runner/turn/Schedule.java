package agentsessions.runner.turn;

import agentsessions.runner.control.TimeLeft;
import java.time.Duration;

/// The deadlines of an invocation's phases: for the agent to end, for its files and result to be
/// reported, for its sandbox to be saved, and for the sandbox to be released. Each phase may use
/// the time that earlier ones left over.
record Schedule(TimeLeft agent, TimeLeft report, TimeLeft save, TimeLeft release) {
  private static final Duration FOR_REPORT = Duration.ofSeconds(25);
  private static final Duration FOR_RELEASE = Duration.ofSeconds(5);

  /// Divides the time; the agent gets at least a third, however short it is.
  ///
  /// @param forSave the likely duration of the save
  static Schedule of(TimeLeft all, Duration forSave) {
    Duration left = all.left();
    TimeLeft save = all.less(shorter(FOR_RELEASE, left.dividedBy(6)));
    TimeLeft report = save.less(shorter(forSave, left.dividedBy(4)));
    TimeLeft agent = report.less(shorter(FOR_REPORT, left.dividedBy(4)));
    return new Schedule(agent, report, save, all);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
