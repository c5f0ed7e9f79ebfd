package agentsessions.session.usage;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// The prices of models, in layers: the first layer that has a price for a model applies. A price
/// is for an exact name or for a pattern with stars; within a layer the exact name wins, then the
/// longest pattern that matches.
public record Prices(List<Map<String, ModelPrice>> layers) {
  private static final Comparator<Map.Entry<String, ModelPrice>> BY_LENGTH =
      Comparator.<Map.Entry<String, ModelPrice>>comparingInt(entry -> entry.getKey().length())
          .thenComparing(Map.Entry::getKey);
  private static final Comparator<Map.Entry<String, ModelPrice>> FIRST =
      Comparator.<Map.Entry<String, ModelPrice>, Boolean>comparing(
              entry -> entry.getKey().contains("*"))
          .thenComparing(BY_LENGTH.reversed());

  public Prices {
    layers = layers.stream().map(Map::copyOf).toList();
  }

  /// With other prices laid over these.
  public Prices under(Prices over) {
    return new Prices(Stream.concat(over.layers.stream(), layers.stream()).toList());
  }

  public Optional<ModelPrice> of(String model) {
    return layers.stream().flatMap(layer -> in(layer, model).stream()).findFirst();
  }

  /// All prices, in an order in which the first whose pattern matches a name is the one that
  /// applies.
  public <T> List<T> inOrder(BiFunction<String, ModelPrice, T> each) {
    return layers.stream()
        .flatMap(layer -> layer.entrySet().stream().sorted(FIRST))
        .map(entry -> each.apply(entry.getKey(), entry.getValue()))
        .toList();
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

  private static Optional<ModelPrice> in(Map<String, ModelPrice> layer, String model) {
    return Optional.ofNullable(layer.get(model))
        .or(() ->
            layer.entrySet().stream()
                .filter(entry -> matches(entry.getKey(), model))
                .max(BY_LENGTH)
                .map(Map.Entry::getValue));
  }

  /// Each star stands for any text. The pieces between them are searched from left to right without
  /// going back, so that no name takes long.
  private static boolean matches(String glob, String model) {
    String[] pieces = glob.split("\\*", -1);
    String last = pieces[pieces.length - 1];
    if (pieces.length == 1
        || !model.startsWith(pieces[0])
        || model.length() < pieces[0].length() + last.length()
        || !model.endsWith(last)) {
      return false;
    }
    int from = pieces[0].length();
    int end = model.length() - last.length();
    for (int i = 1; i < pieces.length - 1; i++) {
      int at = model.indexOf(pieces[i], from);
      if (at < 0 || at + pieces[i].length() > end) {
        return false;
      }
      from = at + pieces[i].length();
    }
    return true;
  }
}
