package agentsessions.local.steps;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// A state of the machine. This family is the whole language the engine knows.
sealed interface State {
  /// Invokes a function.
  ///
  /// @param byToken whether not the function's answer ends it, but whoever brings the token that
  ///   the function was given
  /// @param timeout null: it may take any time
  /// @param heartbeat how long whoever has the token may be silent; null: any time
  /// @param output null: the function's answer
  /// @param next null: the execution ends here
  record Task(
      String function,
      PayloadTemplate payload,
      boolean byToken,
      @Nullable Duration timeout,
      @Nullable Duration heartbeat,
      List<Retrier> retriers,
      List<Catcher> catchers,
      @Nullable PayloadTemplate output,
      @Nullable String next)
      implements State {}

  /// The first branch whose condition is true, else `otherwise`; with neither the execution fails.
  record Choice(List<Branch> branches, @Nullable String otherwise) implements State {}

  /// Waits for a number of seconds.
  ///
  /// @param next null: the execution ends here
  record Wait(PayloadTemplate seconds, @Nullable String next) implements State {}

  /// Ends well.
  record Succeed() implements State {}

  /// One arm of a choice.
  record Branch(PayloadTemplate condition, String next) {}

  /// When a failed task is tried again.
  ///
  /// @param maxDelay null: no cap
  record Retrier(
      List<String> errors,
      double intervalSeconds,
      double backoffRate,
      int maxAttempts,
      @Nullable Duration maxDelay,
      boolean jitter) {
    boolean matches(StepError error) {
      return errors.stream().anyMatch(error::matches);
    }

    /// @param tries how often this retrier has already tried again
    Duration delay(int tries) {
      double seconds = intervalSeconds * Math.pow(backoffRate, tries);
      if (maxDelay != null) {
        seconds = Math.min(seconds, maxDelay.toMillis() / 1000.0);
      }
      double share = jitter ? ThreadLocalRandom.current().nextDouble() : 1;
      return Duration.ofMillis(Math.round(seconds * share * 1000));
    }
  }

  /// Where a failed task goes on.
  ///
  /// @param output null: the error
  record Catcher(List<String> errors, @Nullable PayloadTemplate output, String next) {
    boolean matches(StepError error) {
      return errors.stream().anyMatch(error::matches);
    }
  }
}
