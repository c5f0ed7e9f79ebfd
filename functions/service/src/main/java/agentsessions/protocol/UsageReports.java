package agentsessions.protocol;

import agentsessions.session.usage.ModelPrice;
import agentsessions.session.usage.Prices;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsedTokens;
import agentsessions.turn.TurnBudget;
import agentsessions.turn.catalogue.PriceList;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The reader of the usage that a runner reports for its turn, with its cost. A figure beyond what
/// any turn can use is cut to that.
@Singleton
public final class UsageReports {
  private static final long MOST = 100_000_000_000L;
  private static final Pattern MODEL = Pattern.compile("[!-~]{1,200}");
  private static final String UNNAMED = "unknown";

  private final Prices prices;

  public UsageReports(PriceList prices) {
    this.prices = prices.prices();
  }

  /// The usage; empty where the runner reports none.
  Optional<Usage> read(RunnerMessages.@Nullable TurnUsage said) {
    return Optional.ofNullable(said).map(this::usage);
  }

  static List<RunnerMessages.Ceiling> ceilings(TurnBudget budget) {
    return budget.ceilings().stream()
        .map(each ->
            new RunnerMessages.Ceiling(
                each.scope().word(), each.unit().word(), each.limit(), each.used()))
        .toList();
  }

  /// All prices, where a turn has a limit on its cost, since its agent may use any model; else
  /// none.
  List<RunnerMessages.Price> prices(TurnBudget budget) {
    return budget.isOfMoney() ? prices.inOrder(UsageReports::price) : List.of();
  }

  private static RunnerMessages.Price price(String model, ModelPrice price) {
    return new RunnerMessages.Price(
        model,
        price.input(),
        price.output(),
        price.cacheRead(),
        price.cacheWrite(),
        price.cacheWriteHour());
  }

  private Usage usage(RunnerMessages.TurnUsage said) {
    List<RunnerMessages.UsedModel> models = said.models() == null ? List.of() : said.models();
    return Usage.NONE
        .then(
            new Usage(
                figure(said.requests()),
                models.stream().map(UsageReports::model).toList(),
                0,
                Boolean.TRUE.equals(said.complete()),
                new Usage.Guess(figure(said.guessedTokens()), figure(said.guessedMicroDollars()))))
        .priced(prices);
  }

  private static Usage.OfModel model(RunnerMessages.@Nullable UsedModel said) {
    return said == null
        ? new Usage.OfModel(UNNAMED, 0, UsedTokens.NONE, null)
        : new Usage.OfModel(
            name(said.model()),
            figure(said.requests()),
            new UsedTokens(
                figure(said.input()),
                figure(said.output()),
                figure(said.cacheRead()),
                figure(said.cacheWrite()),
                figure(said.cacheWriteHour())),
            null);
  }

  private static String name(@Nullable String model) {
    return model != null && MODEL.matcher(model).matches() ? model : UNNAMED;
  }

  private static long figure(@Nullable Long said) {
    return said == null ? 0 : Math.clamp(said, 0, MOST);
  }
}
