package agentsessions.runner.usage;

import static java.util.Objects.requireNonNullElse;

import agentsessions.rule.UsedTokens;
import agentsessions.runner.agent.Dialect;
import agentsessions.runner.agent.Mask;
import agentsessions.wire.UsageReport;
import agentsessions.wire.UsageReport.OfModel;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The usage of models by a turn so far: the sum of its calls, with those under way. At most eight
/// models are named, the others are summed up as `other`.
public final class TurnUsage {
  private static final int NAMES = 8;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][!-~]{0,199}");
  private static final String UNNAMED = "unknown";
  private static final String REST = "other";

  private final Mask mask;
  private final ModelBudget budget;
  private final Set<ModelCall> open = new HashSet<>();
  private Sum ended = new Sum(Map.of(), Map.of(), UsedTokens.NONE, true);

  /// The usage at a moment.
  ///
  /// @param calls the number of calls by model name
  /// @param models the tokens by model name, as far as the models stated them
  /// @param estimate the tokens of all models, with an estimate for responses that were cut
  /// @param complete whether every response stated its usage to the end
  public record Sum(
      Map<String, Long> calls,
      Map<String, UsedTokens> models,
      UsedTokens estimate,
      boolean complete) {

    /// The sum that was reported so; figures that are absent are zero.
    private static Sum of(UsageReport used) {
      Map<String, Long> calls = new LinkedHashMap<>();
      Map<String, UsedTokens> models = new LinkedHashMap<>();
      for (UsageReport.OfModel of : requireNonNullElse(used.models(), List.<OfModel>of())) {
        String name = requireNonNullElse(of.model(), UNNAMED);
        calls.merge(name, figure(of.requests()), Long::sum);
        models.merge(name, tokens(of), UsedTokens::plus);
      }
      UsedTokens all = models.values().stream().reduce(UsedTokens.NONE, UsedTokens::plus);
      return new Sum(calls, models, all, requireNonNullElse(used.complete(), true));
    }

    private static UsedTokens tokens(OfModel of) {
      return new UsedTokens(
          figure(of.input()),
          figure(of.output()),
          figure(of.cacheRead()),
          figure(of.cacheWrite()),
          figure(of.cacheWriteHour()));
    }

    private static long figure(@Nullable Long reported) {
      return requireNonNullElse(reported, 0L);
    }

    /// The number of calls of all models.
    public long requests() {
      return calls.values().stream().mapToLong(each -> each).sum();
    }

    private Sum with(ModelCall call, Mask mask) {
      return call.used().map(used -> with(used, mask)).orElse(this);
    }

    private Sum with(ModelCall.Used used, Mask mask) {
      String name = name(mask.text(used.model()));
      Map<String, UsedTokens> more = new LinkedHashMap<>(models);
      more.merge(name, used.tokens(), UsedTokens::plus);
      Map<String, Long> counted = new LinkedHashMap<>(calls);
      counted.merge(name, 1L, Long::sum);
      return new Sum(counted, more, estimate.plus(used.estimate()), complete && used.isComplete());
    }

    private String name(String reported) {
      String name = NAME.matcher(reported).matches() ? reported : UNNAMED;
      return models.containsKey(name) || models.size() < NAMES ? name : REST;
    }
  }

  /// @param mask hides secrets in a model's name
  /// @param budget counts each ended call
  public TurnUsage(Mask mask, ModelBudget budget) {
    this.mask = mask;
    this.budget = budget;
  }

  /// Begins with what the turn's earlier runners have used.
  public synchronized TurnUsage after(UsageReport used) {
    ended = Sum.of(used);
    budget.begin(used, ended.models());
    return this;
  }

  /// The budget of the turn.
  public ModelBudget budget() {
    return budget;
  }

  /// The report of the usage so far to the service.
  public UsageReport report() {
    Sum sum = sum();
    ModelBudget.Guess guess = budget.guess();
    return new UsageReport(
        sum.requests(),
        sum.models().entrySet().stream()
            .map(each ->
                report(each.getKey(), sum.calls().getOrDefault(each.getKey(), 0L), each.getValue()))
            .toList(),
        sum.complete(),
        Math.max(0, guess.tokens()),
        Math.max(0, guess.microDollars()));
  }

  private static UsageReport.OfModel report(String model, long requests, UsedTokens tokens) {
    return new UsageReport.OfModel(
        model,
        requests,
        tokens.input(),
        tokens.output(),
        tokens.cacheRead(),
        tokens.cacheWrite(),
        tokens.cacheWriteHour());
  }

  /// Follows a new call, until it has ended.
  ///
  /// @param path below the model's URL
  public synchronized ModelCall begin(Dialect dialect, String path) {
    ModelCall call = new ModelCall(dialect, path);
    open.add(call);
    return call;
  }

  /// Ends a call; ending it twice has no further effect.
  public synchronized void end(ModelCall call) {
    if (open.remove(call)) {
      ended = ended.with(call, mask);
      call.used().ifPresent(budget::add);
      call.close();
    }
  }

  /// The usage by now; calls under way count as far as they have come.
  public synchronized Sum sum() {
    Sum sum = ended;
    for (ModelCall call : open) {
      sum = sum.with(call, mask);
    }
    return sum;
  }
}
