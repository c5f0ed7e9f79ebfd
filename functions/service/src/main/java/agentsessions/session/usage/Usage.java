package agentsessions.session.usage;

import agentsessions.rule.ModelPrice;
import agentsessions.rule.UsedTokens;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The usage of models by a turn up to a moment, as its runner counted it.
///
/// @param requests the number of calls to models
/// @param millis the running time of the turn so far
/// @param complete whether every answer stated all that it used
/// @param guess an estimate of usage that was not stated
public record Usage(
    long requests, List<OfModel> models, long millis, boolean complete, Guess guess) {
  public static final Usage NONE = new Usage(0, List.of(), 0, true, Guess.NONE);

  /// An estimate of the usage by interrupted answers beyond what they stated: it counts for
  /// ceilings only.
  public record Guess(long tokens, long microDollars) {
    public static final Guess NONE = new Guess(0, 0);

    public Guess plus(Guess more) {
      return new Guess(tokens + more.tokens, microDollars + more.microDollars);
    }

    Guess most(Guess other) {
      return new Guess(Math.max(tokens, other.tokens), Math.max(microDollars, other.microDollars));
    }
  }

  /// The models that are named, and the rest as one.
  public static final int MOST_MODELS = 9;

  /// The usage of one model.
  ///
  /// @param requests how many of the turn's calls went to it, as far as it is known
  /// @param microDollars the cost; null where the model has no price
  public record OfModel(
      String model, long requests, UsedTokens tokens, @Nullable Long microDollars) {
    boolean isUnpriced() {
      return microDollars == null && tokens.total() > 0;
    }

    /// The same under another name.
    public OfModel named(String other) {
      return new OfModel(other, requests, tokens, microDollars);
    }

    public OfModel plus(OfModel more) {
      return new OfModel(
          model,
          requests + more.requests,
          tokens.plus(more.tokens),
          microDollars == null || more.microDollars == null
              ? null
              : Long.valueOf(microDollars + more.microDollars));
    }
  }

  /// This usage updated by a later report: of each figure the greater, so that none shrinks.
  public Usage then(Usage reported) {
    Map<String, OfModel> all = new LinkedHashMap<>();
    models.forEach(known -> all.put(known.model, known));
    reported.models.forEach(said -> all.merge(said.model, said, Usage::greater));
    return new Usage(
        Math.max(requests, reported.requests),
        all.values().stream().limit(MOST_MODELS).toList(),
        Math.max(millis, reported.millis),
        reported.complete,
        guess.most(reported.guess));
  }

  /// The same, with its cost by a price list.
  public Usage priced(Prices prices) {
    return new Usage(
        requests,
        models.stream().map(model -> priced(prices.of(model.model), model)).toList(),
        millis,
        complete,
        guess);
  }

  /// The same at another running time of the turn.
  public Usage at(long then) {
    return new Usage(requests, models, then, complete, guess);
  }

  /// The same, marked as possibly incomplete.
  public Usage incomplete() {
    return new Usage(requests, models, millis, false, guess);
  }

  private static OfModel priced(Optional<ModelPrice> price, OfModel of) {
    return new OfModel(
        of.model,
        of.requests,
        of.tokens,
        price.map(each -> each.microDollars(of.tokens)).orElse(null));
  }

  private static OfModel greater(OfModel one, OfModel other) {
    return new OfModel(
        one.model,
        Math.max(one.requests, other.requests),
        one.tokens.most(other.tokens),
        one.microDollars == null || other.microDollars == null
            ? other.microDollars
            : Long.valueOf(Math.max(one.microDollars, other.microDollars)));
  }
}
