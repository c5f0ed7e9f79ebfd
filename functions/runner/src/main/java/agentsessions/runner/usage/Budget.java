package agentsessions.runner.usage;

import agentsessions.runner.usage.Ceiling.Scope;
import agentsessions.runner.usage.Ceiling.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// What a turn may still use of its models: each call asks before it goes, and counts when it has
/// ended, by estimate where its answer was cut. The first refusal is why the turn ends.
public final class Budget {
  private final List<Ceiling> ceilings;
  private final List<ModelPrice> prices;
  private final long begun = System.nanoTime();
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private long requests;
  private long tokens;
  private long microDollars;
  private Guess guess = new Guess(0, 0);

  /// What answers that were cut may have used beyond what they said.
  ///
  /// @param microDollars as far as prices are known
  public record Guess(long tokens, long microDollars) {}

  private Budget(List<Ceiling> ceilings, List<ModelPrice> prices) {
    this.ceilings = ceilings;
    this.prices = prices;
  }

  /// With what the operator allows besides.
  ///
  /// @param prices of models; the first that fits a name holds
  /// @param mostRequests how many calls the operator allows a turn
  public static Budget of(List<Ceiling> ceilings, List<ModelPrice> prices, long mostRequests) {
    List<Ceiling> all = new ArrayList<>(ceilings);
    all.add(new Ceiling(Scope.TURN, Unit.REQUESTS, mostRequests, 0));
    return new Budget(List.copyOf(all), List.copyOf(prices));
  }

  /// Counts one more call; or says why there must be none.
  public synchronized Optional<String> refusal() {
    Optional<String> reached =
        ceilings.stream()
            .filter(ceiling -> ceiling.isReached(used(ceiling.unit())))
            .findFirst()
            .map(ceiling -> ceiling.sentence(used(ceiling.unit())));
    if (reached.isEmpty()) {
      requests++;
    }
    reached.ifPresent(this::refuse);
    return reached;
  }

  /// Whether a call's model must be known before it goes.
  public boolean isOfMoney() {
    return ceilings.stream().anyMatch(ceiling -> ceiling.unit() == Unit.MICRO_DOLLARS);
  }

  /// Says why a model must not be asked: what it costs is not known, and there is a ceiling for
  /// that.
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

  /// How long the turn may yet run, where that is bounded by what its session has used.
  public Optional<Duration> time() {
    return ceilings.stream()
        .filter(ceiling -> ceiling.unit() == Unit.MILLISECONDS)
        .map(ceiling -> Duration.ofMillis(ceiling.limit() - ceiling.used()))
        .map(rest -> rest.minusNanos(System.nanoTime() - begun))
        .min(Duration::compareTo);
  }

  /// The time is up.
  public void outOfTime() {
    ceilings.stream()
        .filter(ceiling -> ceiling.unit() == Unit.MILLISECONDS)
        .findFirst()
        .ifPresent(ceiling -> refuse(ceiling.sentence(used(Unit.MILLISECONDS))));
  }

  /// Runs an action once a call was refused.
  public void onRefused(Runnable action) {
    CompletableFuture<Void> _ = refused.thenRun(action);
  }

  /// Why the turn has to end, if it has.
  public Optional<String> refused() {
    return Optional.ofNullable(refused.getNow(null));
  }

  /// A call has ended.
  synchronized void add(ModelCall.Used used) {
    long cost = cost(used.model(), used.estimate());
    tokens += used.estimate().total();
    microDollars += cost;
    guess =
        new Guess(
            guess.tokens() + used.estimate().total() - used.tokens().total(),
            guess.microDollars() + cost - cost(used.model(), used.tokens()));
  }

  /// Of all calls that have ended.
  public synchronized Guess guess() {
    return guess;
  }

  private long cost(String model, Tokens used) {
    return price(model).map(price -> price.of(used)).orElse(0L);
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
      case MILLISECONDS -> Duration.ofNanos(System.nanoTime() - begun).toMillis();
    };
  }
}
