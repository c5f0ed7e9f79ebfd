package agentsessions.runner.usage;

import static java.util.Objects.requireNonNullElse;

import agentsessions.rule.Ceiling;
import agentsessions.rule.Ceiling.Scope;
import agentsessions.rule.Ceiling.Unit;
import agentsessions.rule.ModelPrice;
import agentsessions.rule.UsedTokens;
import agentsessions.wire.UsageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The budget of a turn's model calls: each call asks before it is sent, and is counted when it has
/// ended, by an estimate if its response was cut. The first refusal is the reason why the turn
/// ends.
public final class ModelBudget {
  private final List<Ceiling> ceilings;
  private final List<ModelPrice> prices;
  private final TurnClock clock;
  private final ModelPause pause = new ModelPause();
  private final long begun;
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private long requests;
  private long tokens;
  private long microDollars;
  private Guess guess = new Guess(0, 0);

  /// An estimate of the unreported usage of responses that were cut.
  ///
  /// @param microDollars as far as prices are known
  public record Guess(long tokens, long microDollars) {}

  private ModelBudget(List<Ceiling> ceilings, List<ModelPrice> prices, TurnClock clock) {
    this.ceilings = ceilings;
    this.prices = prices;
    this.clock = clock;
    this.begun = clock.nanos();
  }

  /// The client's ceilings together with the operator's limit of calls.
  ///
  /// @param prices of models; the first that matches a name applies
  /// @param mostRequests the most calls of a turn that the operator allows
  public static ModelBudget of(List<Ceiling> ceilings, List<ModelPrice> prices, long mostRequests) {
    return of(ceilings, prices, mostRequests, new TurnClock());
  }

  static ModelBudget of(
      List<Ceiling> ceilings, List<ModelPrice> prices, long mostRequests, TurnClock clock) {
    List<Ceiling> all = new ArrayList<>(ceilings);
    all.add(new Ceiling(Scope.TURN, Unit.REQUESTS, mostRequests, 0));
    return new ModelBudget(List.copyOf(all), List.copyOf(prices), clock);
  }

  /// The clock by which the turn's time is counted.
  public TurnClock clock() {
    return clock;
  }

  /// The pause of the turn's model.
  public ModelPause pause() {
    return pause;
  }

  /// Counts one more call; returns the reason instead if a ceiling is reached.
  public synchronized Optional<String> refusal() {
    Optional<String> reached =
        ceilings.stream()
            .map(ceiling -> ceiling.after(used(ceiling.unit())))
            .filter(Ceiling::isReached)
            .findFirst()
            .map(Ceiling::sentence);
    if (reached.isEmpty()) {
      requests++;
    }
    reached.ifPresent(this::refuse);
    return reached;
  }

  /// Whether there is a ceiling in money, so that each call's model must be known before it is
  /// sent.
  public boolean isOfMoney() {
    return ceilings.stream().anyMatch(ceiling -> ceiling.unit() == Unit.MICRO_DOLLARS);
  }

  /// The reason why a model must not be called, if there is a ceiling in money and its price is
  /// unknown.
  public Optional<String> refusalOf(String model) {
    if (!isOfMoney() || price(model).isPresent()) {
      return Optional.empty();
    }
    String why =
        "The model %s has no price, and what the turn may cost has a ceiling."
            .formatted(model.isEmpty() ? "of a request" : model);
    refuse(why);
    return Optional.of(why);
  }

  /// The remaining time of the turn, if a ceiling limits it.
  public Optional<Duration> time() {
    return ceilings.stream()
        .filter(ceiling -> ceiling.unit() == Unit.MILLISECONDS)
        .map(ceiling -> Duration.ofMillis(ceiling.limit() - ceiling.used()))
        .map(rest -> rest.minusNanos(clock.nanos() - begun))
        .min(Duration::compareTo);
  }

  /// Notes that this time is used up.
  public void outOfTime() {
    ceilings.stream()
        .filter(ceiling -> ceiling.unit() == Unit.MILLISECONDS)
        .findFirst()
        .ifPresent(ceiling -> refuse(ceiling.after(used(Unit.MILLISECONDS)).sentence()));
  }

  /// Runs an action once a call was refused.
  public void onRefused(Runnable action) {
    CompletableFuture<Void> _ = refused.thenRun(action);
  }

  /// The reason why the turn has to end, if it has.
  public Optional<String> refused() {
    return Optional.ofNullable(refused.getNow(null));
  }

  /// Begins with what the turn's earlier runners have used.
  ///
  /// @param models the tokens by model name
  synchronized void begin(UsageReport used, Map<String, UsedTokens> models) {
    guess =
        new Guess(
            requireNonNullElse(used.guessedTokens(), 0L),
            requireNonNullElse(used.guessedMicroDollars(), 0L));
    requests = requireNonNullElse(used.requests(), 0L);
    tokens = guess.tokens();
    microDollars = guess.microDollars();
    models.forEach((model, stated) -> {
      tokens += stated.total();
      microDollars += cost(model, stated);
    });
  }

  /// Adds the usage of a call that has ended.
  synchronized void add(ModelCall.Used used) {
    long cost = cost(used.model(), used.estimate());
    tokens += used.estimate().total();
    microDollars += cost;
    guess =
        new Guess(
            guess.tokens() + used.estimate().total() - used.tokens().total(),
            guess.microDollars() + cost - cost(used.model(), used.tokens()));
  }

  /// The estimate for all calls that have ended.
  public synchronized Guess guess() {
    return guess;
  }

  private long cost(String model, UsedTokens used) {
    return price(model).map(price -> price.microDollars(used)).orElse(0L);
  }

  private void refuse(String why) {
    refused.complete(why);
  }

  private Optional<ModelPrice> price(String model) {
    return prices.stream().filter(price -> price.isOf(model)).findFirst();
  }

  private synchronized long used(Unit unit) {
    return switch (unit) {
      case MICRO_DOLLARS -> microDollars;
      case TOKENS -> tokens;
      case REQUESTS -> requests;
      case MILLISECONDS -> Duration.ofNanos(clock.nanos() - begun).toMillis();
    };
  }
}
