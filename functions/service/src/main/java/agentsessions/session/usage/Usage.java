package agentsessions.session.usage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a turn has used of its models by a moment, as its runner counted it.
///
/// @param requests how many calls went to a model
/// @param millis how long the turn has run
/// @param complete whether every answer said all that it used
/// @param guess what it may have used besides
public record Usage(
    long requests, List<OfModel> models, long millis, boolean complete, Guess guess) {
  public static final Usage NONE = new Usage(0, List.of(), 0, true, Guess.NONE);

  /// What answers that were cut may have used beyond what they said: it counts for ceilings only.
  public record Guess(long tokens, long microDollars) {
    public static final Guess NONE = new Guess(0, 0);

    public Guess plus(Guess more) {
      return new Guess(tokens + more.tokens, microDollars + more.microDollars);
    }

    Guess most(Guess other) {
      return new Guess(Math.max(tokens, other.tokens), Math.max(microDollars, other.microDollars));
    }
  }

  /// Those that are named, and the rest together.
  public static final int MOST_MODELS = 9;

  /// What one model was used for.
  ///
  /// @param requests how many of the turn's calls went to it, as far as that was said
  /// @param microDollars what that costs; null where the model has no price
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

  /// What is reported after this: of each figure the greater, so that none shrinks.
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

  /// The same, with what it costs by a price list.
  public Usage priced(Prices prices) {
    return new Usage(
        requests,
        models.stream().map(model -> priced(prices.of(model.model), model)).toList(),
        millis,
        complete,
        guess);
  }

  /// The same at another time of the turn.
  public Usage at(long then) {
    return new Usage(requests, models, then, complete, guess);
  }

  /// The same where nobody can say whether it is all.
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
