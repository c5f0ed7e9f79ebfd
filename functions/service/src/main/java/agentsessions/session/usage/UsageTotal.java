package agentsessions.session.usage;

import agentsessions.rule.UsedTokens;
import java.util.Optional;

/// The total usage of several turns.
///
/// @param millis their running time
/// @param microDollars the cost, as far as the models have prices
/// @param unpriced how many of the turns used a model without a price
/// @param incomplete how many of the turns may have used more than was counted
/// @param guess an estimate of usage that was not reported, which counts for ceilings only
public record UsageTotal(
    long requests,
    UsedTokens tokens,
    long millis,
    long microDollars,
    long unpriced,
    long incomplete,
    Usage.Guess guess) {
  public static final UsageTotal NONE =
      new UsageTotal(0, UsedTokens.NONE, 0, 0, 0, 0, Usage.Guess.NONE);

  /// The usage of one turn.
  public static UsageTotal of(Usage usage) {
    return new UsageTotal(
        usage.requests(),
        usage.models().stream()
            .map(Usage.OfModel::tokens)
            .reduce(UsedTokens.NONE, UsedTokens::plus),
        usage.millis(),
        usage.models().stream()
            .mapToLong(model -> Optional.ofNullable(model.microDollars()).orElse(0L))
            .sum(),
        usage.models().stream().anyMatch(Usage.OfModel::isUnpriced) ? 1 : 0,
        usage.complete() ? 0 : 1,
        usage.guess());
  }

  public UsageTotal plus(UsageTotal more) {
    return new UsageTotal(
        requests + more.requests,
        tokens.plus(more.tokens),
        millis + more.millis,
        microDollars + more.microDollars,
        unpriced + more.unpriced,
        incomplete + more.incomplete,
        guess.plus(more.guess));
  }

  /// The cost that counts for ceilings, in micro-dollars, estimates included.
  public long ceilingCost() {
    return microDollars + guess.microDollars();
  }

  /// The same with a longer running time.
  public UsageTotal lasting(long moreMillis) {
    return new UsageTotal(
        requests, tokens, millis + moreMillis, microDollars, unpriced, incomplete, guess);
  }

  /// The cost in micro-dollars; empty where a model without a price was used.
  public Optional<Long> cost() {
    return unpriced > 0 ? Optional.empty() : Optional.of(microDollars);
  }
}
