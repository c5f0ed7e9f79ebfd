package agentsessions.runner.control;

import agentsessions.runner.usage.Budget;
import agentsessions.runner.usage.Tokens;
import agentsessions.runner.usage.TurnUsage;
import java.util.List;

/// What a turn has used of its models by now, as the service is told.
///
/// @param guessedTokens what answers that were cut may have used besides
/// @param guessedMicroDollars and what that costs, as far as prices are known
public record UsageReport(
    long requests,
    List<OfModel> models,
    boolean complete,
    long guessedTokens,
    long guessedMicroDollars) {

  /// How many calls, and tokens by kind.
  public record OfModel(
      String model,
      long requests,
      long input,
      long output,
      long cacheRead,
      long cacheWrite,
      long cacheWriteHour) {
    private static OfModel of(String model, long requests, Tokens tokens) {
      return new OfModel(
          model,
          requests,
          tokens.input(),
          tokens.output(),
          tokens.cacheRead(),
          tokens.cacheWrite(),
          tokens.cacheWriteHour());
    }
  }

  public static UsageReport of(TurnUsage usage) {
    TurnUsage.Sum sum = usage.sum();
    Budget.Guess guess = usage.budget().guess();
    return new UsageReport(
        sum.requests(),
        sum.models().entrySet().stream()
            .map(each ->
                OfModel.of(
                    each.getKey(), sum.calls().getOrDefault(each.getKey(), 0L), each.getValue()))
            .toList(),
        sum.complete(),
        Math.max(0, guess.tokens()),
        Math.max(0, guess.microDollars()));
  }
}
