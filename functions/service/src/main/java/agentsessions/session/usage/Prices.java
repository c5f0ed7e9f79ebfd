package agentsessions.session.usage;

import agentsessions.rule.ModelPrice;
import agentsessions.rule.UsedTokens;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// The prices of models. A price is for an exact name or for a pattern with stars; within a list
/// the exact name wins, then the longest pattern.
///
/// @param inOrder the first that fits a name is the one that holds
public record Prices(List<ModelPrice> inOrder) {
  private static final Comparator<ModelPrice> BY_LENGTH =
      Comparator.<ModelPrice>comparingInt(price -> price.model().length())
          .thenComparing(ModelPrice::model);
  private static final Comparator<ModelPrice> FIRST =
      Comparator.<ModelPrice, Boolean>comparing(price -> price.model().contains("*"))
          .thenComparing(BY_LENGTH.reversed());

  /// Those of one list: a name itself is before all that a name with stars stands for, and among
  /// these the longest.
  public static Prices of(List<ModelPrice> list) {
    return new Prices(list.stream().sorted(FIRST).toList());
  }

  /// With other prices laid over these.
  public Prices under(Prices over) {
    return new Prices(Stream.concat(over.inOrder.stream(), inOrder.stream()).toList());
  }

  public Optional<ModelPrice> of(String model) {
    return inOrder.stream().filter(price -> price.isOf(model)).findFirst();
  }

  /// The cost of a turn in whole micro-dollars, rounded up once a model; empty where a model that
  /// was used has no price.
  public OptionalLong microDollars(Map<String, UsedTokens> models) {
    long sum = 0;
    for (Map.Entry<String, UsedTokens> used : models.entrySet()) {
      Optional<ModelPrice> price = of(used.getKey());
      if (price.isPresent()) {
        sum = Math.addExact(sum, price.get().microDollars(used.getValue()));
      } else if (used.getValue().total() > 0) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(sum);
  }
}
