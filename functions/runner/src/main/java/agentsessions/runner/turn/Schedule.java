package agentsessions.runner.turn;

import agentsessions.runner.control.TimeLeft;
import java.time.Duration;

/// How the time of an invocation is shared out: until when the agent may run, until when its files
/// and its result must be reported, until when its sandbox must be saved, and until when it must be
/// let go. Each may use what those before it left over.
record Schedule(TimeLeft agent, TimeLeft report, TimeLeft save, TimeLeft release) {
  private static final Duration FOR_REPORT = Duration.ofSeconds(25);
  private static final Duration FOR_RELEASE = Duration.ofSeconds(5);

  /// The agent keeps at least a third, however short the time is.
  ///
  /// @param forSave how long the save is likely to take
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
