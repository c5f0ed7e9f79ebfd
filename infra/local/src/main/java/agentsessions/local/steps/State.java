package agentsessions.local.steps;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// A state of a state machine. These types are all of the States Language that the engine supports.
sealed interface State {
  /// A state that invokes a function.
  ///
  /// @param byToken whether it ends by its task token (`waitForTaskToken`) and not by the
  ///   function's answer
  /// @param timeout null: no limit
  /// @param heartbeat the longest time between two heartbeats of the token's holder; null: no limit
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

  /// A state that goes to the first branch whose condition is true, else to `otherwise`; with
  /// neither the execution fails.
  record Choice(List<Branch> branches, @Nullable String otherwise) implements State {}

  /// A state that waits for a number of seconds.
  ///
  /// @param next null: the execution ends here
  record Wait(PayloadTemplate seconds, @Nullable String next) implements State {}

  /// A state that ends the execution with success.
  record Succeed() implements State {}

  /// A branch of a choice.
  record Branch(PayloadTemplate condition, String next) {}

  /// A retry rule of a task, with exponential backoff.
  ///
  /// @param maxDelay the longest delay; null: no limit
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

    /// @param tries the number of retries by this rule so far
    Duration delay(int tries) {
      double seconds = intervalSeconds * Math.pow(backoffRate, tries);
      if (maxDelay != null) {
        seconds = Math.min(seconds, maxDelay.toMillis() / 1000.0);
      }
      double share = jitter ? ThreadLocalRandom.current().nextDouble() : 1;
      return Duration.ofMillis(Math.round(seconds * share * 1000));
    }
  }

  /// A catch rule of a task: the state after an error.
  ///
  /// @param output null: the error
  record Catcher(List<String> errors, @Nullable PayloadTemplate output, String next) {
    boolean matches(StepError error) {
      return errors.stream().anyMatch(error::matches);
    }
  }
}
