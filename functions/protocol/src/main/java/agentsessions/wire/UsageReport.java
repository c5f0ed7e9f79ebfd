package agentsessions.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The usage of models by a turn so far, as its runner reports it.
///
/// @param complete whether every model response stated its usage to the end
/// @param guessedTokens an estimate of further tokens, for responses that were cut
/// @param guessedMicroDollars the cost of those, as far as prices are known
public record UsageReport(
    @Nullable Long requests,
    @Nullable List<OfModel> models,
    @Nullable Boolean complete,
    @Nullable Long guessedTokens,
    @Nullable Long guessedMicroDollars) {

  /// The calls of one model, and its tokens by kind.
  public record OfModel(
      @Nullable String model,
      @Nullable Long requests,
      @Nullable Long input,
      @Nullable Long output,
      @Nullable Long cacheRead,
      @Nullable Long cacheWrite,
      @Nullable Long cacheWriteHour) {}
}
