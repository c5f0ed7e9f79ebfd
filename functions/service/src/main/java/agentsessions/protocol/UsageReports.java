package agentsessions.protocol;

import agentsessions.rule.ModelPrice;
import agentsessions.rule.UsedTokens;
import agentsessions.session.usage.Prices;
import agentsessions.session.usage.Usage;
import agentsessions.turn.budget.TurnBudget;
import agentsessions.turn.catalogue.PriceList;
import agentsessions.wire.UsageReport;
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

  /// Empty where a runner says nothing.
  Optional<Usage> read(@Nullable UsageReport report) {
    return Optional.ofNullable(report).map(this::usage);
  }

  /// What was read, as a runner would report it.
  static UsageReport report(Usage usage) {
    return new UsageReport(
        usage.requests(),
        usage.models().stream().map(UsageReports::report).toList(),
        usage.complete(),
        usage.guess().tokens(),
        usage.guess().microDollars());
  }

  private static UsageReport.OfModel report(Usage.OfModel used) {
    UsedTokens tokens = used.tokens();
    return new UsageReport.OfModel(
        used.model(),
        used.requests(),
        tokens.input(),
        tokens.output(),
        tokens.cacheRead(),
        tokens.cacheWrite(),
        tokens.cacheWriteHour());
  }

  /// All there are, where a turn is bound by what it costs: an agent may ask for any model.
  List<ModelPrice> prices(TurnBudget budget) {
    return budget.isOfMoney() ? prices.inOrder() : List.of();
  }

  private Usage usage(UsageReport report) {
    List<UsageReport.OfModel> models = report.models() == null ? List.of() : report.models();
    return Usage.NONE
        .then(
            new Usage(
                figure(report.requests()),
                models.stream().map(UsageReports::model).toList(),
                0,
                Boolean.TRUE.equals(report.complete()),
                new Usage.Guess(
                    figure(report.guessedTokens()), figure(report.guessedMicroDollars()))))
        .priced(prices);
  }

  private static Usage.OfModel model(UsageReport.@Nullable OfModel report) {
    return report == null
        ? new Usage.OfModel(UNNAMED, 0, UsedTokens.NONE, null)
        : new Usage.OfModel(
            name(report.model()),
            figure(report.requests()),
            new UsedTokens(
                figure(report.input()),
                figure(report.output()),
                figure(report.cacheRead()),
                figure(report.cacheWrite()),
                figure(report.cacheWriteHour())),
            null);
  }

  private static String name(@Nullable String model) {
    return model != null && MODEL.matcher(model).matches() ? model : UNNAMED;
  }

  private static long figure(@Nullable Long reported) {
    return reported == null ? 0 : Math.clamp(reported, 0, MOST);
  }
}
