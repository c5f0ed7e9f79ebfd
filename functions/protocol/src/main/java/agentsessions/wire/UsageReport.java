package agentsessions.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The usage of models by a turn so far.
///
/// @param complete whether every answer said all that it used
/// @param guessedTokens what answers that were cut may have used besides
/// @param guessedMicroDollars and what that costs, as far as prices are known
public record UsageReport(
    @Nullable Long requests,
    @Nullable List<OfModel> models,
    @Nullable Boolean complete,
    @Nullable Long guessedTokens,
    @Nullable Long guessedMicroDollars) {

  /// How many calls, and tokens by kind.
  public record OfModel(
      @Nullable String model,
      @Nullable Long requests,
      @Nullable Long input,
      @Nullable Long output,
      @Nullable Long cacheRead,
      @Nullable Long cacheWrite,
      @Nullable Long cacheWriteHour) {}
}
