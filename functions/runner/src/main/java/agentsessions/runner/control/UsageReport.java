package agentsessions.runner.control;

import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.TokenCounts;
import agentsessions.runner.usage.TurnUsage;
import java.util.List;

/// The usage of models by a turn so far, as it is reported to the service.
///
/// @param guessedTokens estimate of the unreported tokens of responses that were cut
/// @param guessedMicroDollars the cost of those, as far as prices are known
public record UsageReport(
    long requests,
    List<OfModel> models,
    boolean complete,
    long guessedTokens,
    long guessedMicroDollars) {

  /// The usage of one model: its calls, and tokens by kind.
  public record OfModel(
      String model,
      long requests,
      long input,
      long output,
      long cacheRead,
      long cacheWrite,
      long cacheWriteHour) {
    private static OfModel of(String model, long requests, TokenCounts tokens) {
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
    ModelBudget.Guess guess = usage.budget().guess();
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
