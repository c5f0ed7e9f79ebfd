package agentsessions.bench;

import java.util.List;

/// The median of a list of figures.
final class Median {
  private Median() {}

  static double of(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
