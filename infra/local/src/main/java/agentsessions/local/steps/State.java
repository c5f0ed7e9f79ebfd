package agentsessions.local.steps;

import agentsessions.local.steps.Template.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// A state of the machine. This family is the whole language the engine knows.
sealed interface State {
  /// Invokes a function. `next` is null if the execution ends here.
  record Task(
      String function,
      Template payload,
      @Nullable Duration timeout,
      List<Retrier> retriers,
      List<Catcher> catchers,
      Effects effects,
      @Nullable String next)
      implements State {}

  /// The first branch whose condition is true, else `otherwise`; with neither the execution fails.
  record Choice(List<Branch> branches, @Nullable String otherwise, Effects effects)
      implements State {}

  /// Waits for a number of seconds.
  record Wait(Template seconds, Effects effects, @Nullable String next) implements State {}

  /// Only computes.
  record Pass(Effects effects, @Nullable String next) implements State {}

  /// Ends well.
  record Succeed(Effects effects) implements State {}

  /// Ends with an error.
  record Fail(Template error, Template cause) implements State {}

  /// One arm of a choice.
  record Branch(Template condition, Effects effects, String next) {}

  /// What a state leaves behind. Variables are computed from the old ones, all at once.
  record Effects(@Nullable Template assign, @Nullable Template output) {
    static final Effects NONE = new Effects(null, null);

    @SuppressWarnings("unchecked") // the reader takes a map only
    Map<String, Object> variables(Scope scope) {
      return assign == null ? Map.of() : (Map<String, Object>) assign.evaluate(scope);
    }

    Object output(Scope scope, Object otherwise) {
      return output == null ? otherwise : output.evaluate(scope);
    }
  }

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
  record Catcher(List<String> errors, Effects effects, String next) {
    boolean matches(StepError error) {
      return errors.stream().anyMatch(error::matches);
    }
  }
}
